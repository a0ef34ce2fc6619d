#include "analyzer/dataflow/state.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "analyzer/dataflow/conditions.h"
#include "analyzer/dataflow/identity.h"
#include "analyzer/dataflow/scalars.h"

namespace placecheck::dataflow {
namespace {

constexpr size_t kMaxAssumptions = 64;
constexpr size_t kMaxForgotten = 64;

bool by_name(const std::pair<Name, Value>& entry, Name name) { return entry.first < name; }

}  // namespace

Object& State::edit(ObjectId id) {
  std::shared_ptr<const Object>& own = objects_.edit(id);
  if (own.use_count() > 1) own = std::make_shared<Object>(*own);
  Object& object = const_cast<Object&>(*own);  // made by put() or just above, never const
  object.length = Value::unknown();
  object.digests = {};
  return object;
}

void State::put(ObjectId id, Object object) {
  object.digests = {};
  put_shared(id, std::make_shared<Object>(std::move(object)));
}

void State::put_shared(ObjectId id, std::shared_ptr<const Object> object) {
  objects_.extend(id + 1, nullptr);
  objects_.set(id, std::move(object));
}

const Value* State::find_global(Name name) const {
  auto at = std::lower_bound(globals.begin(), globals.end(), name, by_name);
  return at != globals.end() && at->first == name ? &at->second : nullptr;
}

void State::set_global(Name name, const Value& value) {
  auto at = std::lower_bound(globals.begin(), globals.end(), name, by_name);
  if (at != globals.end() && at->first == name) {
    at->second = value;
  } else {
    globals.insert(at, {name, value});
  }
}

std::optional<bool> State::assumed(Name condition) const {
  for (const auto& [name, holds] : assumptions) {
    if (name == condition) return holds;
  }
  return std::nullopt;
}

void State::lose(Name condition) {
  auto at = std::ranges::lower_bound(forgotten, condition);
  if (at != forgotten.end() && *at == condition) return;
  if (forgotten.size() == kMaxForgotten) return doubts.give_up();
  forgotten.insert(at, condition);
}

void State::assume(Name condition, bool holds) {
  if (assumed(condition)) return;
  if (std::ranges::binary_search(forgotten, condition)) doubts.decide(condition, holds);
  if (assumptions.size() == kMaxAssumptions) {
    lose(assumptions.front().first);
    assumptions.erase(assumptions.begin());
  }
  assumptions.emplace_back(condition, holds);
  for (const Implication& each : std::vector<Implication>(implications)) {
    if (assumptions.size() == kMaxAssumptions) return;  // what follows must not displace its reason
    if (each.condition == condition && each.holds == holds) assume(each.then, each.then_holds);
    if (each.then == condition && each.then_holds != holds) assume(each.condition, !each.holds);
  }
}

void State::forget(Name symbol, const Names& names) {
  auto mentions = [&](Name condition) { return names.mentions(condition, symbol); };
  std::erase_if(assumptions, [&](const auto& entry) { return mentions(entry.first); });
  std::erase_if(implications, [&](const Implication& each) {
    return mentions(each.condition) || mentions(each.then);
  });
  std::erase_if(forgotten, mentions);
  doubts.forget_if(mentions);
}

void State::replace_values(llvm::function_ref<bool(const Value&)> is_replaced,
                           llvm::function_ref<Value(const Value&, const std::string&)> other) {
  for (size_t slot = 0; slot < slots.size(); ++slot) {
    const Value value = slots[slot];
    if (is_replaced(value)) slots.set(slot, other(value, "s" + std::to_string(slot)));
  }
  for (auto& [name, value] : globals)
    if (is_replaced(value)) value = other(value, "g" + std::to_string(name));
  for (ObjectId id = 0; id < object_count(); ++id) {
    if (!has(id)) continue;
    bool holds_one = false;
    for_each_value(object(id), [&](const Value& value) { holds_one |= is_replaced(value); });
    if (!holds_one) continue;
    size_t at = 0;
    for_each_value(edit(id), [&](Value& value) {
      if (is_replaced(value))
        value = other(value, "o" + std::to_string(id) + "." + std::to_string(at));
      ++at;
    });
  }
}

void State::age(Name symbol, Names& names) {
  const auto mentions = [&](const Value& value, Name name) {
    return value.has_identity() && names.mentions(value.name, name);
  };
  // A value is named after where it is. A copy of an earlier value that was named so is another
  // one.
  std::vector<Name> used;
  const std::string beginning = std::string(kJoined) + ".aged.";
  replace_values([&](const Value& value) { return mentions(value, symbol); },
                 [&](const Value& value, const std::string& where) {
                   if (!value.is(ValueKind::kSymbol)) return Value::unknown();
                   const bool is_new = names.find(beginning + where) == 0;
                   const Name own = names.intern(beginning + where);
                   if (!is_new) used.push_back(own);
                   return Value::symbol(own);
                 });
  for (const Name own : used) {
    forget(own, names);
    const std::string& text = names.text(own);
    replace_values([&](const Value& value) { return mentions(value, own); },
                   [&](const Value& value, const std::string& where) {
                     return beginning + where == text ? value : Value::unknown();
                   });
  }
}

ObjectId State::object_id_of(const Value& value) const {
  Value direct = read(value);
  bool holds = direct.is_object() || direct.is(ValueKind::kParameters);
  return holds && has(direct.object) ? direct.object : kNoObject;
}

const Object* State::object_of(const Value& value) const {
  ObjectId id = object_id_of(value);
  return id == kNoObject ? nullptr : &object(id);
}

Value State::join_elements(const Object& object) const {
  if (object.elements.empty()) return object.open ? object.rest : Value::unknown();
  Value joined = object.elements[0];
  for (const Value& element : object.elements) joined = join(joined, element, 0);
  if (object.open) joined = join(joined, object.rest, 0);
  const bool loses_cells = joined.is_tensor() && !joined.place.is_known();
  return loses_cells ? join_deciders(object, joined) : joined;
}

// Registered tensors are different ones; where all of them are at one place, so is each.
Value State::join_deciders(const Object& object, const Value& joined) const {
  Value decider = decider_of(object.elements[0]);
  for (const Value& element : object.elements) decider = join(decider, decider_of(element), 0);
  if (object.open) decider = join(decider, decider_of(object.rest), 0);
  return decider.is_tensor() && decider.place.is_known() ? decider : joined;
}

Value State::read_address(const Value& address) const {
  if (!has(address.object)) return Value::unknown();
  const Object& object = this->object(address.object);
  switch (address.path) {
    case Value::kField: {
      const Value* field = object.find(address.name);
      return field ? *field : Value::unknown();
    }
    case Value::kBoxed:
      return object.elements.empty() ? Value::unknown() : object.elements[0];
    case Value::kSomeElement:
    case Value::kEachElement: {
      Value element = join_elements(object);
      element.one_of = address.one_of && !element.is(ValueKind::kUnknown);
      return element;
    }
    default:
      if (static_cast<size_t>(address.path) < object.elements.size())
        return object.elements[address.path];
      return object.open ? object.rest : Value::unknown();
  }
}

Value State::unboxed(const Value& value) const {
  const bool is_variable = value.is(ValueKind::kAddress) && value.path == Value::kBoxed &&
                           has(value.object) && !object(value.object).elements.empty();
  return is_variable ? object(value.object).elements[0] : value;
}

Value State::read(const Value& value) const {
  Value current = value;
  for (int hops = 0; current.is(ValueKind::kAddress) && hops < 8; ++hops)
    current = read_address(current);
  return current.is(ValueKind::kAddress) ? Value::unknown() : current;
}

Value State::pointed(const Value& value) const {
  Value current = value;
  for (int hops = 0; current.is(ValueKind::kAddress) && !current.taken && hops < 8; ++hops)
    current = read_address(current);
  return current.is(ValueKind::kAddress) && !current.taken ? Value::unknown() : current;
}

Value State::decider_of(const Value& value) const {
  Value current = read(value);
  for (int hops = 0; current.place.kind == PlaceKind::kCell && hops < 8; ++hops) {
    if (!has(current.place.symbol) || object(current.place.symbol).elements.empty())
      return Value::unknown();
    const Object& cell = object(current.place.symbol);
    const bool is_of_other_path = std::ranges::any_of(cell.made_where, [&](const auto& decided) {
      return assumed(decided.first) == !decided.second;
    });
    if (is_of_other_path) return Value::tensor(Place::unknown(), current.rank);
    current = cell.elements[0];
  }
  return current;
}

Place State::place_of(const Value& value) const {
  Value decider = decider_of(value);
  return decider.place.kind == PlaceKind::kCell ? Place::unknown() : decider.place;
}

uint64_t State::bytes() const {
  return sizeof(State) + slots.bytes_of_copy() + objects_.bytes_of_copy() +
         globals.size() * sizeof(globals[0]) + assumptions.size() * sizeof(assumptions[0]) +
         implications.size() * sizeof(implications[0]) + forgotten.size() * sizeof(forgotten[0]);
}

void State::collect_garbage(ObjectId kept) {
  std::vector<bool> live(objects_.size(), false);
  std::vector<ObjectId> work;
  auto reach = [&](const Value& value) {
    auto add = [&](ObjectId id) {
      if (has(id) && !live[id]) {
        live[id] = true;
        work.push_back(id);
      }
    };
    if (value.refers_to_object()) add(value.object);
    if (value.place.kind == PlaceKind::kCell) add(value.place.symbol);
  };
  for (const Value& value : slots.values()) reach(value);
  for (const auto& [name, value] : globals) reach(value);
  for (ObjectId id = 0; id < kept && id < object_count(); ++id) reach(Value::object_ref(id));
  while (!work.empty()) {
    ObjectId id = work.back();
    work.pop_back();
    for_each_value(object(id), reach);
  }
  for (ObjectId id = 0; id < objects_.size(); ++id) {
    if (!live[id] && objects_[id]) objects_.set(id, nullptr);
  }
}

namespace {

using EqualValues = bool (*)(const Value&, const Value&);
using EqualObjects = bool (*)(const Object&, const Object&);

bool equal_states(const State& a, const State& b, EqualValues equal, EqualObjects equal_objects) {
  auto equal_global = [&](const auto& x, const auto& y) {
    return x.first == y.first && equal(x.second, y.second);
  };
  if (!(a.thread == b.thread) || !(a.setup == b.setup) || a.globals_lost != b.globals_lost ||
      a.slots.size() != b.slots.size() ||
      !SharedChunks<Value>::are_equal(a.slots, b.slots, equal, Value()) ||
      !std::equal(a.globals.begin(), a.globals.end(), b.globals.begin(), b.globals.end(),
                  equal_global)) {
    return false;
  }
  using Share = std::shared_ptr<const Object>;
  const auto equal_shares = [&](const Share& x, const Share& y) {
    return x == y || (x && y && equal_objects(*x, *y));
  };
  return SharedChunks<Share>::are_equal(a.shares(), b.shares(), equal_shares, nullptr);
}

}  // namespace

bool same(const State& a, const State& b) { return equal_states(a, b, same, same); }

bool alike(const State& a, const State& b) { return equal_states(a, b, alike, alike); }

bool agree_on_places(const State& a, const State& b) {
  return equal_states(a, b, agree_on_places, agree_on_places);
}

uint64_t digest(const State& state, Likeness likeness) {
  uint64_t code = 0;
  for (const Value& value : state.slots.values()) code = mix(code, digest(value, likeness));
  for (const auto& [name, value] : state.globals) code = mix(code, digest(value, likeness) + name);
  for (ObjectId id = 0; id < state.object_count(); ++id) {
    if (state.has(id)) code = mix(code, digest(state.object(id), likeness) + id);
  }
  return code;
}

namespace {

constexpr size_t kMaxAlternatives = 16;

// A condition that the first of two states has decided so, and the second otherwise.
std::optional<Condition> find_opposite_decision(const State& a, const State& b) {
  for (const auto& [condition, holds] : a.assumptions) {
    if (b.assumed(condition) == !holds) return Condition{condition, holds};
  }
  return std::nullopt;
}

// Whether there is no element in a list, where a path knows that.
std::optional<bool> is_empty_list(const State& state, const Object& list, Names& names) {
  if (!list.elements.empty()) return false;
  if (!list.open) return true;
  if (!list.length.is(ValueKind::kSymbol)) return std::nullopt;
  return decided(state, names.term("eq", {names.intern("0"), list.length.name}), names);
}

class Joiner {
 public:
  // Both operands belong to one state.
  Joiner(Names& names, uint32_t block, bool are_unlike)
      : names_(names), block_(block), are_unlike_(are_unlike) {}

  // The first operands belong to one state, the second to another.
  Joiner(Names& names, uint32_t block, bool are_unlike, const State& a, const State& b)
      : names_(names),
        block_(block),
        are_unlike_(are_unlike),
        opposite_(find_opposite_decision(a, b)),
        states_(&a, &b) {}

  // `where()` names what is joined; most values are the same and need no name.
  template <class Where>
  Value values(const Value& a, const Value& b, Where where) {
    if (same(a, b)) return a;
    if (states_.first) {
      const Value one = as_constant(*states_.first, a), other = as_constant(*states_.second, b);
      if (same(one, other)) return one;
    }
    if (are_unlike_ && a.is(ValueKind::kNone) != b.is(ValueKind::kNone)) return Value::unknown();
    if (opposite_ && a.is(ValueKind::kBool) && b.is(ValueKind::kBool))
      return truth_of(opposite_->name, opposite_->holds == (a.number != 0));
    const std::string text = kJoined + std::to_string(block_) + "." + where();
    const bool are_scalars = a.is_scalar() && b.is_scalar();
    return join(a, b, are_scalars ? joined_symbol(text, a, b, names_) : names_.intern(text));
  }

  static auto part(char kind, uint64_t number) {
    return [=] { return kind + std::to_string(number); };
  }
  static auto part(const std::string& object, char kind) {
    return [&object, kind] { return object + kind; };
  }
  static auto part(const std::string& object, char kind, uint64_t number) {
    return [&object, kind, number] { return object + kind + std::to_string(number); };
  }

  Object objects(const Object& a, const Object& b, ObjectId id) {
    Object joined = a;
    std::string where = "o" + std::to_string(id);
    if (a.kind != b.kind || a.type != b.type || a.type_name != b.type_name) {
      joined = Object();
      bool is_cell = a.kind == ObjectKind::kCell || b.kind == ObjectKind::kCell;
      joined.kind = is_cell ? ObjectKind::kCell : ObjectKind::kLibrary;
      if (is_cell) joined.elements.push_back(Value::tensor(Place::unknown()));
      return joined;
    }
    for (auto& [name, value] : joined.fields) {
      const Value* other = b.find(name);
      value = other ? values(value, *other, part(where, '.', name)) : Value::unknown();
    }
    for (const auto& [name, value] : b.fields) {
      if (!a.find(name)) joined.set(name, Value::unknown());
    }
    join_elements(joined, b, where);
    keep_emptiness(joined, a, b);
    if (!same(a.length, b.length)) joined.length = Value::unknown();
    joined.complete = a.complete && b.complete;
    joined.is_known_list = a.is_known_list && b.is_known_list;
    joined.may_lack_keys |= b.may_lack_keys;
    joined.may_be_null = a.may_be_null || b.may_be_null;
    if (!(a.moved_to == b.moved_to) || a.moved != b.moved) joined.moved_to = Place::unknown();
    joined.moved = a.moved || b.moved;
    join_registered(joined, b, where);
    return joined;
  }

 private:
  Value as_constant(const State& state, const Value& value) const {
    const std::optional<int64_t> constant =
        value.is(ValueKind::kSymbol) ? constant_of(state, value.name, names_) : std::nullopt;
    return constant ? Value::integer(*constant) : value;
  }

  // True where the condition is `holds`: of one that is itself a scalar of any type, its truth.
  Value truth_of(Name condition, bool holds) {
    const Name negation = names_.term("not", {condition});
    return Value::symbol(holds ? names_.term("not", {negation}) : negation);
  }

  void join_elements(Object& a, const Object& b, const std::string& where) {
    const bool have_same_keys = std::ranges::equal(
        a.keys, b.keys, [](const Value& key, const Value& other) { return same(key, other); });
    if (!have_same_keys && has_compound_keys(a) && has_compound_keys(b))
      return join_tables(a, b, where);
    if (have_same_keys && a.elements.size() == b.elements.size() && a.open == b.open) {
      for (size_t i = 0; i < a.elements.size(); ++i) {
        a.elements[i] = values(a.elements[i], b.elements[i], part(where, '#', i));
      }
      a.rest = values(a.rest, b.rest, part(where, '#'));
      return;
    }
    Value all = Value::none();
    auto take = [&](const Value& each) {
      all = all.is(ValueKind::kNone) ? each : values(all, each, part(where, '#'));
    };
    for (const Object* object : {static_cast<const Object*>(&a), &b}) {
      std::ranges::for_each(object->elements, take);
      if (object->open) take(object->rest);
    }
    if (are_unlike_ && a.has_no_elements() != b.has_no_elements()) all = Value::unknown();
    a.elements.clear();
    a.keys.clear();
    a.open = true;
    a.rest = all;
  }

  // A list that has elements on both paths still has one, and one that has none on both has none.
  void keep_emptiness(Object& joined, const Object& a, const Object& b) {
    const bool is_list = joined.kind == ObjectKind::kContainer && joined.open && !joined.is_map &&
                         joined.elements.empty() && joined.keys.empty();
    if (!is_list || !states_.first) return;
    const std::optional<bool> is_empty = is_empty_list(*states_.first, a, names_);
    if (!is_empty || is_empty != is_empty_list(*states_.second, b, names_)) return;
    if (!*is_empty) return joined.elements.push_back(joined.rest);
    joined.open = false;
    joined.rest = Value::unknown();
  }

  // What is under a key that one path has not set is decided by the other: who reads it has been
  // there.
  void join_tables(Object& a, const Object& b, const std::string& where) {
    a.may_lack_keys = true;
    for (size_t i = 0; i < b.keys.size(); ++i) {
      const auto mine =
          std::ranges::find_if(a.keys, [&](const Value& key) { return same(key, b.keys[i]); });
      if (mine == a.keys.end()) {
        a.keys.push_back(b.keys[i]);
        a.elements.push_back(b.elements[i]);
        continue;
      }
      const size_t at = static_cast<size_t>(mine - a.keys.begin());
      a.elements[at] = values(a.elements[at], b.elements[i], part(where, '#', at));
    }
  }

  // Registered on one path only: registered, so that nothing is said of it.
  void join_registered(Object& a, const Object& b, const std::string& where) {
    if (!std::ranges::equal(a.registered, b.registered, {}, &Registered::name, &Registered::name))
      a.set(names_.intern(kMayLackChildren), Value::boolean(true));
    for (const Registered& entry : b.registered) {
      auto mine = std::find_if(a.registered.begin(), a.registered.end(),
                               [&](const Registered& other) { return other.name == entry.name; });
      if (mine == a.registered.end()) {
        a.registered.push_back(entry);
        continue;
      }
      bool differ = entry.kind == RegisteredKind::kModule && !same(*mine, entry);
      if (differ) mine->either = children_of(*mine, entry);
      mine->value = values(mine->value, entry.value, part(where, '@', entry.name));
    }
  }

  // The children that one or the other may be; none where that is not known.
  static std::vector<Value> children_of(const Registered& a, const Registered& b) {
    std::vector<Value> children;
    for (const Registered* entry : {&a, &b}) {
      bool is_one = entry->value.is_object();
      if (!is_one && entry->either.empty()) return {};
      for (const Value& child : is_one ? std::vector<Value>{entry->value} : entry->either) {
        auto equals = [&](const Value& known) { return same(known, child); };
        if (std::none_of(children.begin(), children.end(), equals)) children.push_back(child);
      }
    }
    return children.size() <= kMaxAlternatives ? children : std::vector<Value>{};
  }

  Names& names_;
  uint32_t block_;
  bool are_unlike_;
  // What the state of the first operands has decided otherwise than that of the second.
  std::optional<Condition> opposite_;
  std::pair<const State*, const State*> states_;  // null: of one state
};

}  // namespace

DeviceSetup join(const DeviceSetup& a, const DeviceSetup& b) {
  DeviceSetup joined = a;
  if (a.start != b.start) joined.start = DeviceSetup::Start::kUnknown;
  if (a.list != b.list || a.visible != b.visible) {
    joined.list = DeviceSetup::List::kUnknown;
    joined.visible = 0;
  }
  return joined;
}

ThreadState join(const ThreadState& a, const ThreadState& b) {
  ThreadState joined = a;
  joined.current_device = join(a.current_device, b.current_device);
  joined.device_is_callers = a.device_is_callers || b.device_is_callers;
  joined.has_selected = a.has_selected || b.has_selected;
  joined.collectives = join(a.collectives, b.collectives);
  return joined;
}

namespace {

// A variable of which one path has taken the address: what it holds is in its box there.
void join_boxed(Joiner& joiner, const State& a, const State& b, size_t slot, State& joined) {
  if (a.slots[slot].bound == b.slots[slot].bound) return;
  const State& boxed = a.slots[slot].bound ? a : b;
  const Value& plain = a.slots[slot].bound ? b.slots[slot] : a.slots[slot];
  const Value& address = boxed.slots[slot];
  bool is_own = address.path == Value::kBoxed && boxed.has(address.object) &&
                !boxed.object(address.object).elements.empty();
  if (!is_own || plain.is(ValueKind::kNone)) return;
  Object box = boxed.object(address.object);
  box.elements[0] = joiner.values(box.elements[0], plain, Joiner::part('s', slot));
  joined.slots.set(slot, address);
  joined.put(address.object, std::move(box));
}

}  // namespace

void weaken(State& after, const State& before, ObjectId changed, Names& names) {
  Joiner joiner(names, kNoObject, /*are_unlike=*/false);
  std::vector<ObjectId> work{changed};
  std::set<ObjectId> seen;
  auto reach = [&](const Value& value) {
    if (value.refers_to_object()) work.push_back(value.object);
    if (value.place.kind == PlaceKind::kCell) work.push_back(value.place.symbol);
  };
  while (!work.empty()) {
    ObjectId id = work.back();
    work.pop_back();
    if (!before.has(id) || !after.has(id) || !seen.insert(id).second) continue;
    for_each_value(before.object(id), reach);
    if (before.share(id) != after.share(id))
      after.put(id, joiner.objects(before.object(id), after.object(id), id));
  }
}

namespace {

bool is_list_of_tuples(const State& state, const Object& list) {
  const auto is_tuple = [&](const Value& each) {
    const Object* object = state.object_of(each);
    return object && object->kind == ObjectKind::kTuple;
  };
  const bool is_plain = list.kind == ObjectKind::kContainer && !list.is_map && list.keys.empty() &&
                        !list.has_no_elements();
  return is_plain && std::ranges::all_of(list.elements, is_tuple) &&
         (!list.open || list.rest.is(ValueKind::kNone) || is_tuple(list.rest));
}

// Each path has put tuples of its own into a list: what is taken from it is one of these.
void keep_tuples_of_both(Object& joined, const Object& a, const Object& b, Names& names) {
  const auto are_same = [](const Value& x, const Value& y) { return same(x, y); };
  const bool are_alike = std::ranges::equal(a.elements, b.elements, are_same);
  if (are_alike && a.open == b.open && same(a.rest, b.rest)) return;
  Object all = joined;
  all.open = false;
  all.rest = Value::none();
  all.elements.clear();
  for (const Object* list : {&a, &b}) {
    all.elements.insert(all.elements.end(), list->elements.begin(), list->elements.end());
    if (list->open && !list->rest.is(ValueKind::kNone)) all.elements.push_back(list->rest);
  }
  if (forget_count(all, names)) joined = std::move(all);
}

// Of the conditions under which one path or the other has made an object, those that hold on both.
std::vector<std::pair<Name, bool>> common_conditions(const State& a, const State& b, ObjectId id) {
  std::vector<std::pair<Name, bool>> common;
  for (const auto& [one, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    for (const std::pair<Name, bool>& each : one->object(id).made_where) {
      const bool holds_there = std::ranges::count(other->object(id).made_where, each) != 0 ||
                               other->assumed(each.first) == each.second;
      if (holds_there && std::ranges::count(common, each) == 0) common.push_back(each);
    }
  }
  return common;
}

// What only one of two paths has made was placed under what that path has decided. The join forgets
// the decisions, and a later one may contradict them.
void note_conditions_of_made(State& joined, const State& a, const State& b, const Names& names) {
  for (const State* maker : {&a, &b}) {
    const State& other = maker == &a ? b : a;
    std::vector<std::pair<Name, bool>> decided;
    std::ranges::copy_if(maker->assumptions, std::back_inserter(decided), [&](const auto& each) {
      return other.assumed(each.first) == !each.second && is_lasting(each.first, names);
    });
    if (decided.empty()) continue;
    for (ObjectId id = 0; id < maker->object_count(); ++id) {
      const bool is_made_here = maker->has(id) && !other.has(id);
      if (!is_made_here || maker->object(id).kind != ObjectKind::kCell) continue;
      std::vector<std::pair<Name, bool>>& all = joined.edit(id).made_where;
      all.insert(all.end(), decided.begin(), decided.end());
    }
  }
}

// Of a variable that one path has decided and the other has not, as what `x && y` yields: where it
// is not as decided, the other path was taken, and there it is what that one holds.
void relate_truth(State& joined, size_t slot, const State& deciding, const State& open,
                  const Names& names) {
  const Value& result = joined.slots[slot];
  const Value& held = open.slots[slot];
  const bool is_joined = result.is(ValueKind::kSymbol) && held.is(ValueKind::kSymbol) &&
                         !same(result, held) && !same(result, deciding.slots[slot]);
  const std::optional<bool> truth =
      is_joined ? truth_on_path(deciding, deciding.slots[slot], names) : std::nullopt;
  if (!truth || truth_on_path(open, held, names)) return;
  for (const auto& [condition, holds] : open.assumptions) {
    if (deciding.assumed(condition) == !holds)
      add_implication(joined, {result.name, !*truth, condition, holds});
  }
  const Condition asked = strip_negations(held.name, names);
  add_implication(joined, {result.name, !*truth, asked.name, asked.holds == !*truth});
}

}  // namespace

State join(const State& a, const State& b, Names& names, uint32_t block, JoinOptions options) {
  Joiner joiner(names, block, options.are_unlike && a.assumptions != b.assumptions, a, b);
  State joined = a;
  for (size_t i = 0; i < joined.slots.size() && i < b.slots.size(); ++i) {
    if (!same(a.slots[i], b.slots[i]))
      joined.slots.set(i, joiner.values(a.slots[i], b.slots[i], Joiner::part('s', i)));
  }
  auto join_global = [&](Name name, const Value* mine, const Value* other) {
    // A member of an opaque value is itself until it is assigned.
    const Value unassigned = is_member_identity(name, names) ? Value::opaque(name) : Value::none();
    const Value& one = mine ? *mine : unassigned;
    const Value& another = other ? *other : unassigned;
    if (!same(one, another))
      joined.set_global(name, joiner.values(one, another, Joiner::part('g', name)));
  };
  for (const auto& [name, value] : b.globals) join_global(name, a.find_global(name), &value);
  for (const auto& [name, value] : a.globals) {
    if (!b.find_global(name)) join_global(name, &value, nullptr);
  }
  for (ObjectId id = 0; id < b.object_count(); ++id) {
    if (!b.has(id)) continue;
    if (!a.has(id)) {
      joined.put_shared(id, b.share(id));
    } else if (a.share(id) != b.share(id) && !same(a.object(id), b.object(id))) {
      Object both = joiner.objects(a.object(id), b.object(id), id);
      both.made_where = common_conditions(a, b, id);
      if (is_list_of_tuples(a, a.object(id)) && is_list_of_tuples(b, b.object(id)))
        keep_tuples_of_both(both, a.object(id), b.object(id), names);
      joined.put(id, std::move(both));
    }
  }
  note_conditions_of_made(joined, a, b, names);
  for (size_t i = 0; i < joined.slots.size() && i < b.slots.size(); ++i)
    join_boxed(joiner, a, b, i, joined);
  joined.thread = join(a.thread, b.thread);
  joined.setup = join(a.setup, b.setup);
  joined.globals_lost = a.globals_lost || b.globals_lost;
  keep_common_assumptions(joined, b, std::move(options.live));
  for (size_t i = 0; i < joined.slots.size() && i < b.slots.size(); ++i) {
    relate_truth(joined, i, a, b, names);
    relate_truth(joined, i, b, a, names);
  }
  return joined;
}

std::set<ObjectId> reachable_from(const State& state, ObjectId root) {
  std::set<ObjectId> seen;
  std::vector<ObjectId> work{root};
  while (!work.empty()) {
    const ObjectId id = work.back();
    work.pop_back();
    if (id == kNoObject || !state.has(id) || !seen.insert(id).second) continue;
    for_each_value(state.object(id), [&](const Value& each) {
      if (each.refers_to_object()) work.push_back(each.object);
      if (each.place.kind == PlaceKind::kCell) work.push_back(each.place.symbol);
    });
  }
  return seen;
}

}  // namespace placecheck::dataflow
