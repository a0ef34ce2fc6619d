// Loops over ranges. The elements of a short list of objects are taken one by one: what is done
// with each is done with that one. Of all others the loop sees one that stands for each.
#include <algorithm>
#include <optional>

#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/havoc.h"
#include "analyzer/dataflow/key_tables.h"
#include "analyzer/dataflow/scalars.h"

namespace placecheck::dataflow {
namespace {

bool refers(const Value& value) { return value.is_object() || value.is(ValueKind::kAddress); }

bool holds_objects(const Object& object) {
  return is_list(object) && std::any_of(object.elements.begin(), object.elements.end(), refers);
}

// What belongs to a device, or will: pointers, streams, communicators.
bool holds_memory(const Object& object) {
  auto belongs = [](const Value& value) {
    return value.is_pointer() || value.is_handle() || value.is(ValueKind::kNone);
  };
  return is_list(object) && std::all_of(object.elements.begin(), object.elements.end(), belongs);
}

bool holds_numbers(const Object& object) {
  auto is_number = [](const Value& value) {
    return value.is(ValueKind::kInt) || value.is(ValueKind::kSymbol);
  };
  return is_list(object) && std::all_of(object.elements.begin(), object.elements.end(), is_number);
}

// Devices, or none, as std::nullopt and None name the one that nothing selects.
bool holds_devices(const Object& object) {
  auto is_device = [](const Value& value) {
    return value.is(ValueKind::kDevice) || value.is(ValueKind::kNone);
  };
  return is_list(object) && std::ranges::all_of(object.elements, is_device);
}

// A few names: what is done under one of them is done in its iteration.
bool holds_few_texts(const Object& object) {
  constexpr size_t kFew = 8;
  auto is_text = [](const Value& value) { return value.is(ValueKind::kString); };
  return is_list(object) && object.elements.size() <= kFew &&
         std::all_of(object.elements.begin(), object.elements.end(), is_text);
}

// A table with a few names as its keys, such as a batch: what is done under one of them is done
// with that one's value.
bool is_table_of_few_texts(const Object& object) {
  const auto is_text = [](const Value& key) { return key.is(ValueKind::kString); };
  return is_list(object) && object.keys.size() == object.elements.size() &&
         std::ranges::all_of(object.keys, is_text);
}

// Tensors on different devices, or the parameters of different modules: one that stood for each
// would be on none of them.
bool holds_places_apart(const State& state, const Object& object) {
  if (!is_list(object) || object.elements.empty()) return false;
  const Value first = state.read(object.elements[0]);
  auto differs = [&](const Value& held) {
    const Value value = state.read(held);
    if (value.is(ValueKind::kParameters)) return !same(value, first);
    return value.is_tensor() && !(state.place_of(value) == state.place_of(first));
  };
  const bool is_placed = first.is_tensor() || first.is(ValueKind::kParameters);
  return is_placed && std::ranges::any_of(object.elements, differs);
}

size_t length(const Object& object) {
  return object.is_module() ? object.registered.size() : object.elements.size();
}

bool is_in_comprehension(CallContext& context) {
  return context.count() > 1 && context.read(1).is(ValueKind::kBool);
}

// A few numbers that a program of a dynamic language lists, or, in a comprehension, counts.
bool holds_few_numbers(CallContext& context, const Object& object) {
  constexpr size_t kFew = 4;
  if (!is_dynamic(context.activation.function()) || object.elements.size() > kFew) return false;
  return holds_numbers(object) &&
         (is_in_comprehension(context) || !object.find(context.name(kIsRange)));
}

// The parts of a tuple, of which a comprehension makes as many others:
// `Batch(*(x.to(device) for x in batch))`.
bool is_tuple_to_map(CallContext& context, const Object& object) {
  constexpr size_t kFew = 6;
  return is_dynamic(context.activation.function()) && is_in_comprehension(context) &&
         object.kind == ObjectKind::kTuple && object.elements.size() <= kFew;
}

std::optional<size_t> turn_of(CallContext& context) {
  Value turn = context.count() > 1 ? context.read(1) : Value::unknown();
  if (!turn.is(ValueKind::kInt) || turn.number < 0) return std::nullopt;
  return static_cast<size_t>(turn.number);
}

Value begin(CallContext& context) {
  const Object* range = context.state.object_of(context.arguments[0]);
  bool is_itself = !context.read(0).is(ValueKind::kParameters);
  bool counts = is_itself && range && is_taken_one_by_one(context, *range);
  return counts ? Value::integer(0) : Value::unknown();
}

Value next(CallContext& context) {
  Value turn = context.read(0);
  return turn.is(ValueKind::kInt) ? Value::integer(turn.number + 1) : Value::unknown();
}

// Which of the objects the loop has in its hands is not known, so each may be changed.
void give_up_objects(CallContext& context, const Object& list) {
  const Name label = context.name("each<" + context.call().name + ">");
  std::vector<Value> held = list.elements;
  Havoc havoc(context.state, context.activation.names(), label);
  for (const Value& value : held) {
    if (value.is(ValueKind::kAddress) && !context.state.read(value).is_object()) {
      context.activation.assign(context.state, value, Value::unknown());
    } else if (ObjectId id = context.state.object_id_of(value); id != kNoObject) {
      havoc.object(id);
    }
  }
}

// Whether a module certainly has no parameters, or no buffers, to iterate over.
bool lacks_tensors(CallContext& context, const Value& parameters) {
  std::vector<std::pair<std::string, Value>> registered;
  const bool is_known = registered_tensors(context.state, context.activation.names(),
                                           parameters.object, "", registered);
  const bool are_buffers = parameters.number == Value::kBuffers;
  return is_known && std::ranges::all_of(registered, [&](const auto& each) {
           return are_buffers && each.second.requires_grad;
         });
}

Value more(CallContext& context) {
  const Value parameters = context.read(0);
  if (parameters.is(ValueKind::kParameters) && lacks_tensors(context, parameters))
    return Value::boolean(false);
  const Object* range = context.state.object_of(context.arguments[0]);
  std::optional<size_t> turn = turn_of(context);
  const bool is_empty = range && range->kind == ObjectKind::kContainer && range->complete &&
                        !range->open && range->has_no_elements();
  if (is_empty) return Value::boolean(false);
  // The list was iterated element by element until it was joined with another list.
  if (range && turn && range->open && length(*range) < 2) return lost_answer(context);
  if (range && turn) return Value::boolean(*turn < length(*range));
  // Turns that were counted first, and are no more, have not had all of the objects.
  if (range && holds_objects(*range) && length(*range) > 1) give_up_objects(context, *range);
  return Value::unknown();
}

Value child_of(const Object& module, std::optional<size_t> turn) {
  if (turn && *turn < module.registered.size()) return module.registered[*turn].value;
  Value child = module.registered[0].value;
  for (const Registered& entry : module.registered) child = join(child, entry.value, 0);
  return child;
}

// A pointer and what it points to read alike, unless the address is marked as taken: `*p` of such
// elements is a pointer of its own.
bool takes_pointers_to_pointers(const ir::Call& call) {
  const ir::Type& type = call.type;
  return type.kind == ir::TypeKind::kPointer && type.arguments.size() == 1 &&
         type.arguments[0].kind == ir::TypeKind::kPointer;
}

Value list_element(CallContext& context, const Value& range) {
  ObjectId id = context.state.object_id_of(range);
  const Object& list = context.state.object(id);
  std::optional<size_t> turn = turn_of(context);
  if (!turn && list.elements.size() == 1 && !list.open) turn = 0;
  std::optional<KeySet> named_after =
      key_set_of_table(context.state, id, context.activation.names());
  bool has_keys = !list.keys.empty() || named_after;
  Value key = turn && *turn < list.keys.size() ? list.keys[*turn] : Value::unknown();
  Value element = Value::address(id, Value::kEachElement);
  if (turn && *turn < list.elements.size()) {
    const Value& held = list.elements[*turn];
    bool is_pointer = held.is(ValueKind::kAddress) && held.taken;
    element = is_pointer ? held : Value::address(id, static_cast<int32_t>(*turn));
    element.taken = is_pointer && takes_pointers_to_pointers(context.call());
  } else if (holds_objects(list) && list.elements.size() > 1) {
    give_up_objects(context, list);
  }
  if (!has_keys) return element;
  Object pair;
  pair.kind = ObjectKind::kTuple;
  if (named_after) key = key_of(context, *named_after, 703);
  pair.elements = {key, element};
  return context.make(std::move(pair), 702);
}

Exits element(CallContext& context) {
  const Value range = context.arguments[0];
  Value direct = context.state.read(range);
  if (direct.is(ValueKind::kParameters)) {
    bool is_named = context.call().type.kind == ir::TypeKind::kRecord;
    return single_exit(context,
                       is_named ? named_parameter(context, direct)
                                : parameter_of(context.activation, context.state, direct.object));
  }
  if (direct.is_tensor()) {
    Value slice = direct;
    slice.rank = Rank::kUnknown;
    return single_exit(context, slice);
  }
  const Object* object = context.state.object_of(range);
  if (!object) return single_exit(context, unknown_element(context));
  if (is_loader(*object, context.activation.names())) return dataset_element(context, direct);
  if (object->is_module() && !object->registered.empty())
    return single_exit(context, child_of(*object, turn_of(context)));
  if (!is_list(*object)) return single_exit(context, unknown_element(context));
  return single_exit(context, list_element(context, range));
}

}  // namespace

bool is_taken_one_by_one(CallContext& context, const Object& object) {
  const bool on_devices =
      context.activation.loops_over_devices() || is_range_over_devices(context, object);
  const bool is_single = length(object) == 1 && !object.open && !object.is_module() &&
                         !is_dynamic(context.activation.function());
  bool is_long =
      (length(object) < 2 && !is_single) || length(object) > static_cast<size_t>(kMostTurns);
  if (is_long || object.is_module()) return !is_long;
  if (is_single) return true;
  if (object.open && on_devices)
    return holds_objects(object) ||
           (object.kind == ObjectKind::kContainer && holds_numbers(object));
  return !object.open &&
         (holds_objects(object) || holds_memory(object) || holds_devices(object) ||
          holds_few_texts(object) || is_table_of_few_texts(object) ||
          holds_few_numbers(context, object) || is_tuple_to_map(context, object) ||
          holds_places_apart(context.state, object) || (on_devices && holds_numbers(object)));
}

Exits loop_call(CallContext& context) {
  const std::string& name = context.call().name;
  if (context.count() == 0) return single_exit(context, unknown_element(context));
  if (name == "loop.begin") return single_exit(context, begin(context));
  if (name == "loop.more") return single_exit(context, more(context));
  if (name == "loop.next") return single_exit(context, next(context));
  return element(context);
}

}  // namespace placecheck::dataflow
