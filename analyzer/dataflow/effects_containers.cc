// Containers, optionals, tuples, iterators and text.
#include <optional>
#include <utility>

#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/key_tables.h"
#include "analyzer/dataflow/scalars.h"

namespace placecheck::dataflow {
namespace {

using models::Effect;

// Key and value, where a pair is given.
std::optional<std::pair<Value, Value>> entry_of(const State& state, const Value& given) {
  const Object* pair = state.object_of(given);
  if (!pair || pair->kind != ObjectKind::kTuple || pair->elements.size() != 2) return std::nullopt;
  return std::pair(state.read(pair->elements[0]), state.read(pair->elements[1]));
}

void add_entry(CallContext& context, Object& map, const Value& key, const Value& value) {
  append(map, value, key.is_scalar() ? key : Value::symbol(context.name("a key")));
}

// The pairs that a map is made from.
void add_entries(CallContext& context, Object& map) {
  for (size_t i = 0; i < context.count(); ++i) {
    auto [key, value] = entry_of(context.state, context.read(i))
                            .value_or(std::pair(Value::unknown(), Value::unknown()));
    add_entry(context, map, key, value);
  }
}

// `c10::impl::GenericDict(c10::StringType::get(), c10::TensorType::get())`.
bool is_given_types_only(CallContext& context) {
  const std::vector<ir::Argument>& arguments = context.call().arguments;
  return !arguments.empty() && std::ranges::all_of(arguments, [&](const ir::Argument& each) {
    const ir::Instruction* made = context.activation.find_definition(each.value);
    return made && made->opcode == ir::Opcode::kCall && made->call.name.starts_with("c10::") &&
           made->call.name.find("Type") != std::string::npos;
  });
}

Value make_container(CallContext& context) {
  Object object;
  bool is_tuple =
      context.call().name == "tuple" || context.call().type.kind == ir::TypeKind::kTuple;
  object.kind = is_tuple ? ObjectKind::kTuple : ObjectKind::kContainer;
  object.is_map = !is_tuple && context.call().type.arguments.size() == 2;
  bool is_literal = context.call().name == "list" || is_tuple;
  if (is_given_types_only(context)) return context.make(std::move(object));
  Value first = context.read(0);
  if (!is_literal && context.count() > 0) {
    // A constructor: a copy, or a size and a value. Iterators and the like: not known.
    const Object* source = context.state.object_of(context.arguments[0]);
    if (std::optional<Value> bytes = bytes_of_file(context, context.arguments[0])) return *bytes;
    if (source && source->kind == ObjectKind::kContainer)
      return context.activation.copy(context.state, first, &context.instruction);
    const bool is_range =
        context.count() == 2 && first.is_pointer() && context.read(1).is_pointer();
    if (is_range) take_memory_for(context, 0, Place::cpu());
    return make_sized_list(context);
  }
  if (object.is_map) {
    add_entries(context, object);
    return context.make(std::move(object));
  }
  for (size_t i = 0; i < context.count(); ++i) {
    // A tuple of references (std::tie) keeps addresses, and so do pointers; values are read.
    const Value& given = context.arguments[i];
    bool keep = given.is(ValueKind::kAddress) && (is_tuple || given.taken);
    object.elements.push_back(keep ? given : context.read(i));
  }
  return context.make(std::move(object));
}

Object* container_of(CallContext& context) {
  ObjectId id = context.state.object_id_of(context.arguments[0]);
  if (id == kNoObject) return nullptr;
  Object& object = context.state.edit(id);
  return object.kind == ObjectKind::kContainer ? &object : nullptr;
}

// A variable that holds a container of which nothing is known gets one: it is filled from here on.
Object* container_to_fill(CallContext& context) {
  if (Object* object = container_of(context)) return object;
  Value current = context.read(0);
  bool is_variable = context.arguments[0].is(ValueKind::kAddress) && current.is(ValueKind::kNone);
  if (!is_variable) return nullptr;
  Object object;
  object.kind = ObjectKind::kContainer;
  Value made = context.make(std::move(object), 600);
  context.activation.assign(context.state, context.arguments[0], made);
  return &context.state.edit(made.object);
}

bool is_set(const ir::Call& call) {
  return call.name.starts_with("std::set::") || call.name.starts_with("std::unordered_set::");
}

bool is_constant(const Value& value) {
  return value.is(ValueKind::kString) || value.is(ValueKind::kInt);
}

// Whether a set has an element; nullopt where it may or may not.
std::optional<bool> has_element(const Object& set, const Value& wanted) {
  if (set.kind != ObjectKind::kContainer || set.open || set.symbol != 0 || !is_constant(wanted))
    return std::nullopt;
  if (std::ranges::any_of(set.elements, [&](const Value& each) { return same(each, wanted); }))
    return true;
  return std::ranges::all_of(set.elements, is_constant) ? std::optional(false) : std::nullopt;
}

// What inserting into a map or a set answers: where the element is, and whether it is new.
Value inserted(CallContext& context, const Value& key, std::optional<bool> is_new) {
  if (context.call().type.kind != ir::TypeKind::kTuple) return Value::unknown();
  Value element =
      is_set(context.call())
          ? Value::address(context.state.object_id_of(context.arguments[0]), Value::kSomeElement)
          : element_address(context.state, context.arguments[0], key, context.activation.names());
  element.taken = element.is(ValueKind::kAddress);
  Object answer;
  answer.kind = ObjectKind::kTuple;
  const Value unknown = is_set(context.call())
                            ? lost_answer(context)
                            : context.activation.fresh_symbol(context.instruction, context.state);
  answer.elements = {element, is_new ? Value::boolean(*is_new) : unknown};
  return context.make(std::move(answer), 602);
}

// What a container keeps of an argument: a pointer to a variable that holds no object leads there,
// others are what they lead to.
Value kept(CallContext& context, size_t argument) {
  const Value pointer = context.state.pointed(context.arguments[argument]);
  const bool is_address = pointer.is(ValueKind::kAddress) && pointer.taken;
  return is_address && context.state.read(pointer).is_tensor() ? pointer : context.read(argument);
}

// A list of a module's parameters that others are put into is an ordinary list from then on.
void extend_parameters(CallContext& context) {
  const Value parameters = context.read(0);
  if (!parameters.is(ValueKind::kParameters)) return;
  Value any = parameter_of(context.activation, context.state, parameters.object);
  for (size_t i = 1; i < context.count(); ++i) {
    const Value added = context.read(i);
    if (added.is_tensor()) any = join(any, added, 0);
  }
  context.activation.assign(context.state, context.arguments[0], context.make(open_list(any), 605));
}

Value insert(CallContext& context) {
  extend_parameters(context);
  std::vector<Value> values;
  for (size_t i = 1; i < context.count(); ++i) values.push_back(kept(context, i));
  if (values.size() == 1) {
    if (auto entry = entry_of(context.state, values[0])) values = {entry->first, entry->second};
  }
  if (!container_to_fill(context) || values.empty()) return Value::unknown();
  ObjectId id = context.state.object_id_of(context.arguments[0]);
  if (values.size() == 2) note_key(context.state, id, values[0], context.activation.names());
  Object* container = container_of(context);
  const std::optional<bool> was_there = is_set(context.call()) && values.size() == 1
                                            ? has_element(*container, values[0])
                                            : std::nullopt;
  if (was_there == true) return inserted(context, values[0], false);
  if (values.size() == 2) {
    add_entry(context, *container, values[0], values[1]);
  } else if (values.size() == 1) {
    append(*container, values[0]);
  } else {
    open_container(*container);
    container->rest = Value::unknown();
  }
  return inserted(context, values[0], was_there ? std::optional(true) : std::nullopt);
}

// `m[key]` makes the element where there is none.
Value element(CallContext& context) {
  Value direct = context.read(0);
  if (direct.is(ValueKind::kParameters)) {
    return same(context.read(1), Value::integer(0))
               ? end_parameter_of(context.activation, context.state, direct, /*last=*/false)
               : parameter_of(context.activation, context.state, direct.object);
  }
  if (direct.is_tensor()) return direct;
  Value index = context.read(1);
  container_to_fill(context);
  if (context.call().name.ends_with("::operator[]"))
    note_key(context.state, context.state.object_id_of(context.arguments[0]), index,
             context.activation.names());
  return element_address(context.state, context.arguments[0], index, context.activation.names());
}

std::optional<bool> finds_key(CallContext& context) {
  const Object* table = context.state.object_of(context.arguments[0]);
  if (!table) return std::nullopt;
  return is_set(context.call()) ? has_element(*table, context.read(1))
                                : has_key(*table, context.read(1));
}

// `m.find(key)` is none where no element has the key.
Value find(CallContext& context) {
  return finds_key(context).value_or(true) ? element(context) : Value::none();
}

// `m.contains(key)`, `m.count(key)`.
Value contains(CallContext& context) {
  if (const std::optional<bool> found = finds_key(context))
    return ir::last_component(context.call().name) == "count" ? Value::integer(*found)
                                                              : Value::boolean(*found);
  const Object* table = context.state.object_of(context.arguments[0]);
  const bool is_cache =
      key_lacks_device(context.state, context.read(1), context.activation.names());
  return table && ((is_table(*table) && !is_cache) || is_set(context.call()))
             ? lost_answer(context)
             : context.activation.fresh_symbol(context.instruction, context.state);
}

// `pop_front()`, `pop_back()` and their like, of a list of which all elements are known: the one at
// that end is destroyed.
bool remove_end(CallContext& context, ObjectId id) {
  const Object& list = context.state.object(id);
  const std::string& name = context.call().name;
  const bool is_first = name.ends_with("::pop_front") || name == "std::queue::pop";
  const bool is_last = name.ends_with("::pop_back") || name == "std::stack::pop";
  if ((!is_first && !is_last) || list.open || list.elements.empty() || is_table(list)) return false;
  const Value removed = is_first ? list.elements.front() : list.elements.back();
  std::vector<Value>& left = context.state.edit(id).elements;
  left.erase(is_first ? left.begin() : left.end() - 1);
  context.activation.destroy(context.state, removed, context.instruction);
  return true;
}

// `s.erase(element)` of a set: how many were there.
std::optional<Value> erase_element(CallContext& context) {
  const ObjectId id = context.state.object_id_of(context.arguments[0]);
  const bool erases = is_set(context.call()) && context.call().name.ends_with("::erase");
  if (!erases || id == kNoObject || context.count() != 2 ||
      context.call().type.kind != ir::TypeKind::kInt)
    return std::nullopt;
  const Value wanted = context.read(1);
  const std::optional<bool> was_there = has_element(context.state.object(id), wanted);
  if (!was_there) return std::nullopt;
  if (*was_there)
    std::erase_if(context.state.edit(id).elements,
                  [&](const Value& each) { return same(each, wanted); });
  return Value::integer(*was_there);
}

// From here on an element may be any of those that there were.
void reorder(CallContext& context) {
  Value first = context.arguments[0];
  bool is_iterator = first.is(ValueKind::kAddress) &&
                     (first.path == Value::kEachElement || first.path == Value::kSomeElement);
  ObjectId id = is_iterator ? first.object : context.state.object_id_of(first);
  if (!context.state.has(id) || context.state.object(id).kind != ObjectKind::kContainer) return;
  if (!remove_end(context, id)) open_container(context.state.edit(id));
}

// What an iterator of a table leads to: its key and the element.
std::optional<Value> entry_behind(CallContext& context) {
  const std::string& name = context.call().name;
  const bool follows = name.ends_with("::operator->") || name.ends_with("::operator*");
  const Value element = context.state.unboxed(context.arguments[0]);
  if (!follows || name.find("_iterator") == name.npos || !element.is(ValueKind::kAddress) ||
      !context.state.has(element.object))
    return std::nullopt;
  const Object& table = context.state.object(element.object);
  const bool is_known =
      element.path >= 0 && is_table(table) && static_cast<size_t>(element.path) < table.keys.size();
  Names& names = context.activation.names();
  std::optional<Value> key;
  if (is_known)
    key = table.keys[static_cast<size_t>(element.path)];
  else if (auto keys = key_set_of_table(context.state, element.object, names))
    key = context.make(key_object(*keys, names), 607);
  if (!key) return std::nullopt;
  Object entry;
  entry.kind = ObjectKind::kTuple;
  entry.elements = {*key, element};
  return context.make(std::move(entry), 605);
}

// `begin() + n`: the address of some element, with the number of elements before it.
Value moved_iterator(CallContext& context) {
  const Value begin = context.count() > 0 ? context.arguments[0] : Value::none();
  if (!begin.is(ValueKind::kAddress) || begin.path != Value::kEachElement) return begin;
  Value moved = Value::address(begin.object, Value::kSomeElement);
  const Value distance = context.count() > 1 ? context.read(1) : Value::integer(1);
  if (distance.is(ValueKind::kInt)) moved.number = distance.number;
  moved.one_of = true;
  return moved;
}

Value end_of(CallContext& context, bool last) {
  ObjectId id = context.state.object_id_of(context.arguments[0]);
  Value direct = context.read(0);
  if (direct.is_tensor()) return direct;
  if (direct.is(ValueKind::kParameters))
    return end_parameter_of(context.activation, context.state, direct, last);
  if (id == kNoObject) return Value::unknown();
  const Object& object = context.state.object(id);
  if (object.open || object.elements.empty()) return Value::address(id, Value::kSomeElement);
  return Value::address(id, last ? static_cast<int32_t>(object.elements.size()) - 1 : 0);
}

// A vector or an array of the host that holds numbers.
bool holds_numbers(const ir::Call& call) {
  bool is_host = call.name.starts_with("std::vector") || call.name.starts_with("std::array");
  bool is_pointer = call.type.kind == ir::TypeKind::kPointer && !call.type.arguments.empty();
  if (!is_host || !is_pointer) return false;
  ir::TypeKind element = call.type.arguments[0].kind;
  return element == ir::TypeKind::kInt || element == ir::TypeKind::kFloat ||
         element == ir::TypeKind::kBool;
}

Value some_element(CallContext& context) {
  Value direct = context.read(0);
  if (direct.is(ValueKind::kParameters))
    return parameter_of(context.activation, context.state, direct.object);
  ObjectId id = context.state.object_id_of(context.arguments[0]);
  if (id == kNoObject) return direct.is_tensor() ? direct : Value::unknown();
  const Object& object = context.state.object(id);
  if (!is_list(object))
    return Value::object_ref(id);  // a data loader: its iterator is a loader still
  Value address = Value::address(id, Value::kEachElement);
  if (!context.call().name.ends_with("::data")) return address;
  address.taken = true;
  bool is_parameter = object.symbol != 0;
  return is_parameter && holds_numbers(context.call()) ? Value::pointer(Place::cpu(), 0) : address;
}

// std::max_element(begin, end) of a list that has elements.
Value extreme_element(CallContext& context) {
  const Value begin = context.count() > 0 ? context.arguments[0] : Value::none();
  if (!begin.is(ValueKind::kAddress) || !context.state.has(begin.object)) return Value::unknown();
  Value element = Value::address(begin.object, Value::kSomeElement);
  element.one_of = true;
  return element;
}

// Where it is not known, still a module's parameters are not none.
Value size_of(CallContext& context) {
  const Object* object = context.state.object_of(context.arguments[0]);
  bool is_whole = object && object->kind == ObjectKind::kContainer && !object->open;
  if (is_whole && context.call().name.ends_with("::size"))
    return Value::integer(static_cast<int64_t>(object->elements.size()));
  const bool has_all_children = object && object->is_module() && object->complete &&
                                !object->type && !object->find(context.name(kMayLackChildren)) &&
                                !object->find(context.name(kComputedNames));
  if (has_all_children && context.call().name.ends_with("::size"))
    return Value::integer(static_cast<int64_t>(object->registered.size()));
  const bool is_container = object && object->kind == ObjectKind::kContainer && object->open;
  if (is_container && context.call().name.ends_with("::size"))
    return unknown_length(context, context.state.object_id_of(context.arguments[0]));
  Value size = context.activation.fresh_symbol(context.instruction, context.state);
  if (!context.read(0).is(ValueKind::kParameters)) return size;
  const std::string key = context.activation.names().text(size.name);
  context.state.assume(size.name, true);
  context.state.assume(context.name("lt(0," + key + ")"), true);
  context.state.assume(context.name("lt(" + key + ",1)"), false);
  context.state.assume(context.name("eq(0," + key + ")"), false);
  return size;
}

Value is_empty(CallContext& context) {
  if (std::optional<std::string> text = context.text(context.read(0)))
    return Value::boolean(text->empty());
  // A module that is asked for its parameters has some.
  if (context.read(0).is(ValueKind::kParameters)) return Value::boolean(false);
  const Object* object = context.state.object_of(context.arguments[0]);
  if (object && object->is_module() && object->complete)
    return Value::boolean(object->registered.empty());
  // The same module answers the same each time.
  if (object && object->is_module())
    return Value::symbol(context.activation.names().term("empty", {object->symbol}));
  if (!object || object->kind != ObjectKind::kContainer)
    return context.activation.fresh_symbol(context.instruction, context.state);
  if (!object->open || !object->elements.empty()) return Value::boolean(object->elements.empty());
  const Value length = unknown_length(context, context.state.object_id_of(context.arguments[0]));
  return evaluate("op.eq", length, Value::integer(0), context.activation.names(),
                  context.activation.assumed_devices())
      .value_or(Value::unknown());
}

Value has_value(CallContext& context) {
  Value value = context.read(0);
  if (value.is(ValueKind::kNone)) return Value::boolean(false);
  const Object* object = context.state.object_of(context.arguments[0]);
  bool is_stream =
      object && object->kind == ObjectKind::kLibrary;  // and so on: a state, not a presence
  bool present = value.is_tensor() || value.is(ValueKind::kDevice) || (object && !is_stream);
  return present ? Value::boolean(true)
                 : context.activation.fresh_symbol(context.instruction, context.state);
}

Value text_of(CallContext& context) {
  Value number = context.read(0);
  if (number.is(ValueKind::kInt)) return Value::string(context.name(std::to_string(number.number)));
  if (!number.is(ValueKind::kSymbol))
    number = context.activation.fresh_symbol(context.instruction, context.state);
  return Value::symbol(context.activation.names().term("text", {number.name}));
}

Value clear(CallContext& context) {
  if (Object* container = container_of(context)) {
    container->elements.clear();
    container->keys.clear();
    container->fields.clear();
    container->open = false;
  }
  return Value::none();
}

// Whether two objects are of one kind and hold the same, their own parts included.
bool hold_the_same(const State& state, ObjectId a, ObjectId b, int depth = 6);

bool hold_the_same(const State& state, const Value& a, const Value& b, int depth) {
  if (same(a, b)) return true;
  if (a.is_tensor() && b.is_tensor()) {
    const bool are_cells = a.place.kind == PlaceKind::kCell && b.place.kind == PlaceKind::kCell &&
                           state.has(a.place.symbol) && state.has(b.place.symbol) && depth > 0;
    if (are_cells) return hold_the_same(state, a.place.symbol, b.place.symbol, depth - 1);
    return agree_on_places(a, b) && a.place.is_known();
  }
  const bool are_objects =
      a.is_object() && b.is_object() && state.has(a.object) && state.has(b.object) && depth > 0;
  return are_objects && hold_the_same(state, a.object, b.object, depth - 1);
}

bool hold_the_same(const State& state, ObjectId a, ObjectId b, int depth) {
  const Object &one = state.object(a), &other = state.object(b);
  const auto agree = [&](const Value& x, const Value& y) {
    return hold_the_same(state, x, y, depth);
  };
  const bool are_alike = one.kind == other.kind && one.type == other.type &&
                         one.type_name == other.type_name && one.function == other.function &&
                         one.complete == other.complete && one.open == other.open &&
                         one.symbol == other.symbol;
  return are_alike &&
         std::ranges::equal(one.fields, other.fields,
                            [&](const auto& x, const auto& y) {
                              return x.first == y.first && agree(x.second, y.second);
                            }) &&
         std::ranges::equal(one.elements, other.elements, agree) &&
         std::ranges::equal(one.keys, other.keys, agree) && agree(one.rest, other.rest) &&
         std::ranges::equal(one.registered, other.registered,
                            [&](const Registered& x, const Registered& y) {
                              return x.name == y.name && x.kind == y.kind && x.either.empty() &&
                                     y.either.empty() && agree(x.value, y.value);
                            });
}

// Of a list of which only that is known, what each of its elements is, an object that holds the
// same is one more: whatever is true of the first is true of an element.
bool is_one_of_rest(CallContext& context, const Object& list, const Value& value) {
  return list.open && list.elements.empty() && list.rest.is_object() && value.is_object() &&
         context.state.has(list.rest.object) && context.state.has(value.object) &&
         hold_the_same(context.state, list.rest.object, value.object);
}

Value append_value(CallContext& context) {
  extend_parameters(context);
  Value value = context.count() > 1 ? kept(context, 1) : Value::unknown();
  // emplace_back(a, b): a pair, or a constructor's arguments.
  if (context.count() > 2) {
    Object tuple;
    tuple.kind = ObjectKind::kTuple;
    for (size_t i = 1; i < context.count(); ++i) tuple.elements.push_back(context.read(i));
    value = context.make(std::move(tuple), 601);
  }
  Object* container = container_to_fill(context);
  if (container && !is_one_of_rest(context, *container, value)) append(*container, value);
  return Value::none();
}

// autograd::grad(outputs, inputs, ...): a list, each element where that input is.
Value gradients_of(CallContext& context) {
  const Value given = context.count() > 1 ? context.read(1) : Value::unknown();
  if (given.is_tensor()) {
    Object alone;
    alone.kind = ObjectKind::kContainer;
    alone.elements.push_back(context.state.decider_of(given));
    return context.make(std::move(alone));
  }
  const Object* inputs = context.state.object_of(given);
  if (!inputs || !is_list(*inputs)) return context.make(open_list(Value::tensor(Place::unknown())));
  Object gradients = *inputs;
  auto take_place = [&](Value& input) {
    if (!input.is(ValueKind::kNone)) input = context.state.decider_of(input);
  };
  for (Value& input : gradients.elements) take_place(input);
  take_place(gradients.rest);
  return context.make(std::move(gradients));
}

}  // namespace

Value unknown_length(CallContext& context, ObjectId container) {
  const Value& known = context.state.object(container).length;
  if (!known.is(ValueKind::kUnknown)) return known;
  const Value length = context.activation.fresh_symbol(context.instruction, context.state);
  context.state.edit(container).length = length;
  return length;
}

// `resize(n)` of a list that has n elements.
static bool has_length(CallContext& context) {
  const Object* list = context.state.object_of(context.arguments[0]);
  return list && is_list(*list) && !list->open && context.count() == 2 &&
         same(context.read(1), Value::integer(static_cast<int64_t>(list->elements.size())));
}

bool container_effect(CallContext& context, Effect effect, Value& result) {
  if (effect == Effect::kGradientsOf) {
    meet_gradients(context, 0, 2);
    result = gradients_of(context);
    return true;
  }
  if (effect == Effect::kMakeContainer) {
    result = make_container(context);
    return true;
  }
  if (effect == Effect::kNothing) {
    bool has_value = context.call().type.kind != ir::TypeKind::kVoid;
    result = has_value ? context.activation.fresh_symbol(context.instruction, context.state)
                       : Value::none();
    if (result.is(ValueKind::kSymbol) && context.call().type.kind == ir::TypeKind::kTensor) {
      result = Value::tensor(Place::unknown());
    }
    return true;
  }
  if (context.count() == 0) return false;
  switch (effect) {
    case Effect::kMovedIterator:
      result = moved_iterator(context);
      return true;
    case Effect::kSame:
      result = entry_behind(context).value_or(context.arguments[0]);
      return true;
    case Effect::kValueOr:
      result = context.read(0).is(ValueKind::kNone) && context.count() > 1 ? context.arguments[1]
                                                                           : context.arguments[0];
      return true;
    case Effect::kText:
      result = text_of(context);
      return true;
    case Effect::kAppend:
      result = append_value(context);
      return true;
    case Effect::kInsert:
      result = insert(context);
      return true;
    case Effect::kElement:
      result = element(context);
      return true;
    case Effect::kFind:
      result = find(context);
      return true;
    case Effect::kHasKey:
      result = contains(context);
      return true;
    case Effect::kSomeElement:
      result = some_element(context);
      return true;
    case Effect::kExtremeElement:
      result = extreme_element(context);
      return true;
    case Effect::kSearchElements:
      result = context.call().type.kind == ir::TypeKind::kInt
                   ? context.activation.fresh_symbol(context.instruction, context.state)
                   : Value::unknown();
      return true;
    case Effect::kFirst:
    case Effect::kLast:
      result = end_of(context, effect == Effect::kLast);
      return true;
    case Effect::kNumberElements:
      number_elements(context);
      result = Value::none();
      return true;
    case Effect::kReorder:
      if (const std::optional<Value> erased = erase_element(context)) {
        result = *erased;
        return true;
      }
      reorder(context);
      result = is_set(context.call()) ? lost_answer(context) : Value::unknown();
      return true;
    case Effect::kClear:
      result = clear(context);
      return true;
    case Effect::kSize:
      result = size_of(context);
      return true;
    case Effect::kIsEmpty:
      result = is_empty(context);
      return true;
    case Effect::kHasValue:
      result = has_value(context);
      return true;
    case Effect::kResize:
      if (has_length(context)) {
        result = Value::none();
        return true;
      }
      if (Object* container = container_to_fill(context)) {
        open_container(*container);
        container->fields.clear();
      }
      result = Value::none();
      return true;
    default:
      return false;
  }
}

}  // namespace placecheck::dataflow
