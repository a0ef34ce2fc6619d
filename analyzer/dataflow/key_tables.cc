#include "analyzer/dataflow/key_tables.h"

#include <algorithm>

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kTableOwner = "<named after>";

ObjectId module_in(const Object& object, Name field) {
  const Value* owner = object.find(field);
  return owner && owner->is(ValueKind::kParameters) ? owner->object : kNoObject;
}

// Nothing is in it yet, or what was put there has names that the program spells out.
bool has_only_literals(const Object& table) {
  auto is_literal = [](const Value& key) { return key.is(ValueKind::kString); };
  bool is_filled = table.open && !table.rest.is(ValueKind::kNone);
  return table.complete && !is_filled && table.keys.size() == table.elements.size() &&
         std::all_of(table.keys.begin(), table.keys.end(), is_literal);
}

}  // namespace

ObjectId owner_of_key(const State& state, const Value& key, Names& names) {
  const Object* object = state.object_of(key);
  bool is_key =
      object && object->kind == ObjectKind::kLibrary && names.text(object->type_name) == kKeyType;
  return is_key ? module_in(*object, names.intern(kKeyOwner)) : kNoObject;
}

void note_key(State& state, ObjectId table, const Value& key, Names& names) {
  if (!state.has(table) || state.object(table).kind != ObjectKind::kContainer) return;
  if (key.is(ValueKind::kString)) return;
  Name field = names.intern(kTableOwner);
  ObjectId owner = owner_of_key(state, key, names);
  const Value* before = state.object(table).find(field);
  if (!before && (owner == kNoObject || !has_only_literals(state.object(table)))) return;
  bool is_same = !before || (before->is(ValueKind::kParameters) && before->object == owner);
  bool is_known = owner != kNoObject && is_same;
  state.edit(table).set(field, is_known ? Value::parameters(owner) : Value::unknown());
}

ObjectId owner_of_table(const State& state, ObjectId table, Names& names) {
  if (!state.has(table) || state.object(table).kind != ObjectKind::kContainer) return kNoObject;
  ObjectId owner = module_in(state.object(table), names.intern(kTableOwner));
  return state.has(owner) ? owner : kNoObject;
}

}  // namespace placecheck::dataflow
