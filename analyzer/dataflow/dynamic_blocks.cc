// With-blocks of programs without types: what they bind, and which devices are selected in them.
#include <string_view>

#include "analyzer/dataflow/dynamic.h"

namespace placecheck::dataflow {
namespace {

// A generator that contextlib made a context manager has run to its end when its block begins: the
// devices that it had selected where it yielded, and the process group, are those of the block.
constexpr std::string_view kDeviceAtYield = "<current device at yield>";
constexpr std::string_view kDefaultAtYield = "<default device at yield>";
constexpr std::string_view kGroupAtYield = "<process group at yield>";

// The context manager of a generator that was split at its `yield`. Its elements: the value that is
// yielded, and the function that runs at the end of the block, or None.
constexpr std::string_view kContext = "contextlib._GeneratorContextManager";

void select_devices_at_yield(CallContext& context, const Value& yields) {
  const ObjectId id = context.state.object_id_of(yields);
  const Object& list = context.state.object(id);
  const Value* current = list.find(context.name(kDeviceAtYield));
  const Value* otherwise = list.find(context.name(kDefaultAtYield));
  const Value* group = list.find(context.name(kGroupAtYield));
  if (!current || !otherwise) return;
  const Value selected = *current;
  if (group) set_process_group(context, Value(*group));
  // Which default holds behind the block is not followed.
  if (!(otherwise->place == place_of_new_tensors(context)))
    set_default_device(context, Value::unknown());
  keep_device(context, context.state.edit(id));
  context.state.thread.current_device =
      selected.is(ValueKind::kDevice) ? selected.place : Place::unknown();
  context.state.thread.selected_at = selected.origin;
}

}  // namespace

void note_devices_at_yield(CallContext& context, const Value& yields) {
  const ObjectId id = context.state.object_id_of(yields);
  if (id == kNoObject) return;
  Value current = Value::device(context.state.thread.current_device);
  current.origin = context.state.thread.selected_at;
  Object& list = context.state.edit(id);
  list.set(context.name(kDeviceAtYield), current);
  list.set(context.name(kDefaultAtYield), Value::device(place_of_new_tensors(context)));
  list.set(context.name(kGroupAtYield), process_group(context));
}

Value make_context_manager(CallContext& context, const Value& entered, const Value& at_end) {
  Object manager = context.library_object(kContext);
  manager.elements = {entered, at_end};
  return context.make(std::move(manager));
}

Exits leave_block(CallContext& context, const Value& manager) {
  const Object* object = context.state.object_of(manager);
  if (is_kind(context, object, kContext)) {
    const Value at_end = object->elements[1];
    return at_end.is(ValueKind::kNone) ? Exits() : call_value(context, at_end, {});
  }
  if (!object || !object->type) return {};
  const FoundMethod found = find_method(context.activation, *object->type, "__exit__");
  if (!found.function) return {};
  Given given;
  for (size_t i = 0; i < 3; ++i) given.add(Value::none(), {}, Given::kMade);
  return call_function(context, *found.function, {manager}, given);
}

Exits enter_block(CallContext& context, const Value& manager) {
  if (manager.is(ValueKind::kDevice)) enter_default_device(context, manager);
  const Object* object = context.state.object_of(manager);
  if (object && object->type) {
    FoundMethod found = find_method(context.activation, *object->type, "__enter__");
    if (found.function) return call_function(context, *found.function, {manager}, {});
  }
  if (is_kind(context, object, kContext)) return one(context, Value(object->elements[0]));
  if (object && is_list(*object)) {
    select_devices_at_yield(context, manager);
    return one(context, part_of(context, manager, 0, 1));
  }
  // `with TemporaryDirectory() as path`
  if (is_kind(context, object, "tempfile.TemporaryDirectory"))
    return one(context, context.activation.fresh_symbol(context.instruction, context.state));
  return one(context, manager);
}

}  // namespace placecheck::dataflow
