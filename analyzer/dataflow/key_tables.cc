#include "analyzer/dataflow/key_tables.h"

#include <algorithm>

#include "analyzer/dataflow/scalars.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kDropped = "dropped";
constexpr std::string_view kAdded = "added";
constexpr std::string_view kKept = "kept";

// An object that stands for a name and a table say in the same fields which names they have.
void set_key_set(Object& object, const KeySet& keys, Names& names) {
  auto number = [](size_t n) { return Value::integer(static_cast<int64_t>(n)); };
  object.set(names.intern(kKeyOwner), Value::parameters(keys.module));
  object.set(names.intern(kDropped), number(keys.dropped));
  object.set(names.intern(kAdded), Value::string(names.intern(keys.added)));
  object.set(names.intern(kKept), number(keys.kept));
}

std::optional<KeySet> key_set_in(const State& state, const Object& object, Names& names) {
  const Value* owner = object.find(names.intern(kKeyOwner));
  const Value* dropped = object.find(names.intern(kDropped));
  const Value* added = object.find(names.intern(kAdded));
  const Value* kept = object.find(names.intern(kKept));
  bool is_known = owner && owner->is(ValueKind::kParameters) && state.has(owner->object) &&
                  dropped && dropped->is(ValueKind::kInt) && added &&
                  added->is(ValueKind::kString) && kept && kept->is(ValueKind::kInt);
  if (!is_known) return std::nullopt;
  return KeySet{owner->object, static_cast<size_t>(dropped->number), names.text(added->name),
                static_cast<size_t>(kept->number)};
}

// Nothing is in it yet, or what was put there has names that the program spells out.
bool has_only_literals(const Object& table) {
  auto is_literal = [](const Value& key) { return key.is(ValueKind::kString); };
  bool is_filled = table.open && !table.rest.is(ValueKind::kNone);
  return table.complete && !is_filled && table.keys.size() == table.elements.size() &&
         std::all_of(table.keys.begin(), table.keys.end(), is_literal);
}

}  // namespace

std::string beside_mark(std::string_view key) { return "beside " + std::string(key); }

KeySet KeySet::all_of(ObjectId module) {
  KeySet keys;
  keys.module = module;
  return keys;
}

std::optional<std::string> KeySet::applied_to(std::string_view key) const {
  if (dropped > key.size()) return std::nullopt;
  std::string made = added;
  made += key.substr(dropped);
  return made.substr(0, kept);
}

std::optional<KeySet> KeySet::prefixed(std::string_view text) const {
  if (kept != std::string::npos) return std::nullopt;
  KeySet made = *this;
  made.added.insert(0, text);
  return made;
}

std::optional<KeySet> KeySet::part(size_t from, size_t count) const {
  if (kept != std::string::npos) return std::nullopt;
  KeySet made = *this;
  size_t of_added = std::min(from, added.size());
  made.added.erase(0, of_added);
  made.dropped += from - of_added;
  made.kept = count;
  return made;
}

bool stands_for_key(const Object& object, const Names& names) {
  return object.kind == ObjectKind::kLibrary && names.text(object.type_name) == kKeyType;
}

std::optional<KeySet> key_set_of(const State& state, const Value& key, Names& names) {
  const Object* object = state.object_of(key);
  if (!object || !stands_for_key(*object, names)) return std::nullopt;
  return key_set_in(state, *object, names);
}

Object key_object(const KeySet& keys, Names& names) {
  Object key;
  key.kind = ObjectKind::kLibrary;
  key.type_name = names.intern(kKeyType);
  set_key_set(key, keys, names);
  return key;
}

void forget_keys(State& state, ObjectId module, Names& names) {
  for (ObjectId id = 0; id < state.object_count(); ++id) {
    if (!state.has(id) || !stands_for_key(state.object(id), names)) continue;
    std::optional<KeySet> keys = key_set_in(state, state.object(id), names);
    if (keys && keys->module == module)
      state.edit(id).set(names.intern(kKeyOwner), Value::unknown());
  }
}

void note_key(State& state, ObjectId table, const Value& key, Names& names) {
  if (!state.has(table) || state.object(table).kind != ObjectKind::kContainer) return;
  if (key.is(ValueKind::kString) && state.object(table).find(names.intern(kKeyOwner)))
    state.edit(table).set(names.intern(beside_mark(names.text(key.name))), Value::boolean(true));
  if (key.is(ValueKind::kString) || key.is(ValueKind::kInt)) return;
  std::optional<KeySet> keys = key_set_of(state, key, names);
  // Whatever the key is, the table has an element from then on.
  const Object& held = state.object(table);
  if (!keys && held.is_map && held.has_no_elements() && !held.open)
    open_container(state.edit(table));
  bool was_noted = state.object(table).find(names.intern(kKeyOwner));
  if (!was_noted && (!keys || !has_only_literals(state.object(table)))) return;
  bool is_same = !was_noted || key_set_in(state, state.object(table), names) == keys;
  if (keys && is_same)
    set_key_set(state.edit(table), *keys, names);
  else
    state.edit(table).set(names.intern(kKeyOwner), Value::unknown());
}

std::optional<KeySet> key_set_of_table(const State& state, ObjectId table, Names& names) {
  if (!state.has(table) || state.object(table).kind != ObjectKind::kContainer) return std::nullopt;
  return key_set_in(state, state.object(table), names);
}

}  // namespace placecheck::dataflow
