// Data parallelism: modules that run as copies on several devices.
#include <span>

#include "analyzer/dataflow/conditions.h"
#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/optimizers.h"
#include "analyzer/dataflow/scalars.h"
#include "analyzer/ir/walk.h"

namespace placecheck::dataflow {
namespace {

using models::Effect;

// The devices that an argument lists, by position; nothing where that is not known. Of a list of
// all devices those that there are at least.
std::optional<std::vector<Place>> listed_devices(CallContext& context, const Value& list,
                                                 bool uses_them = true) {
  Value direct = context.state.read(list);
  if (direct.is(ValueKind::kNone)) return std::vector<Place>{};
  const Object* object = context.state.object_of(list);
  if (!object || object->kind != ObjectKind::kContainer) return std::nullopt;
  if (object->open && object->elements.size() < 2) return std::nullopt;
  std::vector<Place> places;
  for (const Value& element : std::vector<Value>(object->elements)) {
    Value device = context.state.read(element);
    OriginId named_at = device.origin;
    if (device.is(ValueKind::kInt)) {
      places.push_back(Place::cuda(static_cast<int32_t>(device.number)));
      named_at = context.origin(OriginKind::kNamed);
    } else {
      places.push_back(device.is(ValueKind::kDevice) ? resolve(context.state, device.place)
                                                     : Place::unknown());
    }
    if (uses_them) use_device(context, places.back(), named_at);
  }
  return places;
}

Place first_device(const std::optional<std::vector<Place>>& devices) {
  if (!devices) return Place::unknown();
  return devices->empty() ? Place::cuda(0) : devices->front();
}

Place output_place(CallContext& context, const Value& output, const Place& first) {
  Value device = context.state.read(output);
  if (device.is(ValueKind::kDevice)) return resolve(context.state, device.place);
  return device.is(ValueKind::kNone) ? first : Place::unknown();
}

Value tensor_at(CallContext& context, const Place& place) {
  Value tensor = Value::tensor(place, Rank::kNonScalar);
  tensor.origin = context.origin(OriginKind::kComputed);
  return tensor;
}

// Whether the result of replicate() is stored in something other than a local variable.
bool is_kept(CallContext& context) {
  if (models::find_effect(context.call().name) != Effect::kReplicate) return false;
  bool is_variable = false;
  ir::walk_instructions(
      context.activation.function(), [&](const ir::Instruction& each, ir::InstructionPlace) {
        is_variable |= each.opcode == ir::Opcode::kStore && !each.symbol.starts_with("@") &&
                       std::ranges::count(each.operands, context.instruction.result) != 0;
      });
  return !is_variable;
}

// Replicas run where there are several devices: those listed, or all that are visible.
// `shares_buffers`: the first replica shares the buffers of the module, so what it writes there
// stays.
void notify_replicas(CallContext& context, ObjectId module,
                     const std::optional<std::vector<Place>>& devices, bool shares_buffers) {
  if (module == kNoObject || !devices) return;
  int64_t count = static_cast<int64_t>(devices->size());
  if (devices->empty())
    count = visible_devices(context).value_or(context.activation.assumed_devices());
  note_exposed(context, module);
  if (count < 2) return;
  ReplicateEvent event{context.activation.site(context.instruction.range), module,
                       is_certainly_training(context, module), shares_buffers, is_kept(context)};
  context.activation.notify(event, context.state);
}

// Lists and tables may be caches that other replicas have filled: where their tensors are is not
// known.
void doubt_containers(State& state) {
  auto doubt = [](Value& value) {
    if (value.is_tensor() && value.place.kind != PlaceKind::kCell) value.place = Place::unknown();
  };
  for (ObjectId id = 0; id < state.object_count(); ++id) {
    if (!state.has(id) || !is_list(state.object(id))) continue;
    Object& object = state.edit(id);
    for (Value& each : object.elements) doubt(each);
    doubt(object.rest);
  }
}

// The devices of the first two replicas, where they are known to be different ones.
std::optional<std::pair<Place, Place>> first_two(const std::optional<std::vector<Place>>& devices) {
  if (!devices || devices->size() == 1) return std::nullopt;
  Place first = devices->empty() ? Place::cuda(0) : (*devices)[0];
  Place second = devices->empty() ? Place::cuda(1) : (*devices)[1];
  if (relate(first, second) != Relation::kDifferent) return std::nullopt;
  return std::pair(first, second);
}

// What a replica is given: its parts of the tensors, and numbers as they are. Nothing where it is
// not known whether there is a part for the second one.
std::optional<std::vector<Value>> parts_for(CallContext& context, std::span<const Value> inputs,
                                            const Place& device) {
  std::vector<Value> parts;
  for (const Value& input : inputs) {
    Value part = context.state.read(input);
    if (part.is_tensor()) {
      if (!is_divided(context, input)) return std::nullopt;
      part = Value::tensor(device, part.rank);
      part.origin = context.origin(OriginKind::kMoved);
    } else if (!part.is_scalar()) {
      part = Value::unknown();
    }
    parts.push_back(part);
  }
  return parts.empty() ? std::nullopt : std::optional(std::move(parts));
}

// What the second replica does beside the first. `current`: the device that is current there.
void run_second_replica(CallContext& context, ObjectId module, const Place& device,
                        const Place& current, std::span<const Value> inputs) {
  if (module == kNoObject) return;
  std::optional<std::vector<Value>> parts = parts_for(context, inputs, device);
  if (!parts) return;
  State state = state_of_replica(context, module, device);
  state.thread.current_device = current;
  std::vector<Value> arguments{Value::object_ref(module)};
  arguments.insert(arguments.end(), parts->begin(), parts->end());
  CallContext replica{context.activation, state, context.instruction, arguments};
  for (const Exit& exit : apply_module(replica)) note_gathered(replica, exit.state, exit.value);
}

Value data_parallel_call(CallContext& context) {
  Value list = context.count() > 2 ? context.arguments[2] : Value::none();
  std::optional<std::vector<Place>> devices = listed_devices(context, list);
  Place first = first_device(devices);
  ObjectId module = context.state.object_id_of(context.arguments[0]);
  if (devices && devices->size() == 1 && module != kNoObject) {
    move_module(context.state, module, first, context.origin(OriginKind::kMoved));
  }
  notify_replicas(context, module, devices, is_dynamic(context.activation.function()));
  const bool replicates = devices && devices->size() != 1 && !has_one_device(context);
  if (replicates && module != kNoObject && !is_dynamic(context.activation.function()))
    try_clone(context, module);
  // Its threads select no device.
  if (auto replicas = first_two(devices); replicas && replicates)
    run_second_replica(context, module, replicas->second,
                       current_device(context.activation, context.state),
                       std::span(context.arguments).subspan(1, 1));
  Value output = context.count() > 3 ? context.arguments[3] : Value::none();
  return tensor_at(context, output_place(context, output, first));
}

// A copy of the module on each of the devices.
Value replicate(CallContext& context) {
  ObjectId module = context.state.object_id_of(context.arguments[0]);
  std::optional<std::vector<Place>> devices = listed_devices(context, context.arguments[1]);
  const Object* list = context.state.object_of(context.arguments[1]);
  if (module == kNoObject || !devices || devices->empty() || (list && list->open) ||
      devices->size() > static_cast<size_t>(kMostTurns))
    return Value::unknown();
  notify_replicas(context, module, devices, is_dynamic(context.activation.function()));
  Object copies;
  copies.kind = ObjectKind::kContainer;
  for (size_t i = 0; i < devices->size(); ++i) {
    copies.elements.push_back(
        clone_of(context, module, (*devices)[i], static_cast<uint32_t>(i) + 1));
  }
  return context.make(std::move(copies));
}

// Each module on its input, which it is given where it is; the results go to the devices.
Value parallel_apply(CallContext& context) {
  auto elements_of = [&](size_t i) {
    const Object* list = context.state.object_of(context.arguments[i]);
    bool is_known = list && list->kind == ObjectKind::kContainer && !list->open;
    return is_known ? list->elements : std::vector<Value>{};
  };
  std::vector<Value> modules = elements_of(0);
  std::vector<Value> inputs = elements_of(1);
  if (modules.empty() || modules.size() != inputs.size()) return Value::unknown();
  Value list = context.count() > 2 ? context.arguments[2] : Value::none();
  std::optional<std::vector<Place>> devices = listed_devices(context, list);
  bool has_devices = devices && devices->size() == modules.size();
  Object results;
  results.kind = ObjectKind::kContainer;
  for (size_t i = 0; i < modules.size(); ++i) {
    Place input = context.state.place_of(inputs[i]);
    std::vector<Value> arguments{context.state.read(modules[i]), context.state.read(inputs[i])};
    CallContext step{context.activation, context.state, context.instruction, arguments};
    Exits exits = apply_module(step);
    if (!exits.empty()) context.state = std::move(exits.front().state);
    Place place = has_devices ? (*devices)[i] : input;
    results.elements.push_back(tensor_at(context, place));
  }
  return context.make(std::move(results));
}

// With a single device the module goes there now: what happens to it later is the program's affair.
void move_to_only_device(CallContext& context, const Value& list) {
  ObjectId module = context.state.object_id_of(context.arguments[0]);
  const Object* ids = context.state.object_of(list);
  bool is_alone =
      ids && ids->kind == ObjectKind::kContainer && !ids->open && ids->elements.size() == 1;
  if (!is_alone || module == kNoObject) return;
  Place only = first_device(listed_devices(context, list));
  move_module(context.state, module, only, context.origin(OriginKind::kMoved));
}

Value data_parallel_make(CallContext& context) {
  // The constructor looks each device up, and fails where there is none.
  if (context.count() > 1 && visible_devices(context) != 0)
    listed_devices(context, context.read(1));
  if (context.count() > 1) move_to_only_device(context, context.read(1));
  Object wrapper;
  wrapper.kind = ObjectKind::kModule;
  wrapper.type_name = context.name(kDataParallel);
  wrapper.origin = context.origin(OriginKind::kBuilt);
  wrapper.registered.push_back(
      {context.name("module"), RegisteredKind::kModule, context.read(0), {}});
  wrapper.set(context.name("device_ids"), context.count() > 1 ? context.read(1) : Value::none());
  wrapper.set(context.name("output_device"), context.count() > 2 ? context.read(2) : Value::none());
  return context.make(std::move(wrapper));
}

// What the constructor was given: device_ids() as a list of devices; unknown for what was left out.
Value wrapper_field(CallContext& context, const std::string& field) {
  const Object* wrapper = context.state.object_of(context.arguments[0]);
  const Value* given = wrapper ? wrapper->find(context.name(field)) : nullptr;
  const std::optional<std::vector<Place>> devices =
      given && field == "device_ids" ? listed_devices(context, *given) : std::nullopt;
  if (!devices || devices->empty())
    return context.activation.symbolic(context.call().type, context.name(context.call().name),
                                       context.state, &context.instruction);
  Object list;
  list.kind = ObjectKind::kContainer;
  for (const Place& each : *devices) list.elements.push_back(Value::device(each));
  return context.make(std::move(list));
}

// The outputs as forward() returns them: one tensor, or several.
Value gathered_outputs(CallContext& context, const Place& place) {
  const ir::Type& type = context.call().type;
  if (type.kind != ir::TypeKind::kTuple)
    return type.kind == ir::TypeKind::kTensor || is_dynamic(context.activation.function())
               ? tensor_at(context, place)
               : Value::unknown();
  Object outputs;
  outputs.kind = ObjectKind::kTuple;
  for (const ir::Type& part : type.arguments)
    outputs.elements.push_back(part.kind == ir::TypeKind::kTensor ? tensor_at(context, place)
                                                                  : Value::unknown());
  return context.make(std::move(outputs), 830);
}

Value data_parallel_forward(CallContext& context) {
  const Object* wrapper = context.state.object_of(context.arguments[0]);
  const Value* ids = wrapper ? wrapper->find(context.name("device_ids")) : nullptr;
  const Value* output = wrapper ? wrapper->find(context.name("output_device")) : nullptr;
  if (!ids || !output || wrapper->registered.empty()) return Value::tensor(Place::unknown());
  ObjectId module = context.state.object_id_of(wrapper->registered[0].value);
  OriginId wrapped_at = wrapper->origin;
  Value output_device = *output;
  // Without a device that the program sees, the module runs where it is.
  if (visible_devices(context) == 0) return gathered_outputs(context, Place::unknown());
  std::optional<std::vector<Place>> devices = listed_devices(context, *ids, /*uses_them=*/false);
  Place first = first_device(devices);
  if (module != kNoObject) {
    ParallelForwardEvent event{context.activation.site(context.instruction.range), module,
                               context.range(0), first, wrapped_at};
    context.activation.notify(event, context.state);
    notify_replicas(context, module, devices, /*shares_buffers=*/true);
    auto replicas = first_two(devices);
    if (replicas && !has_one_device(context) && context.count() > 1 &&
        !is_dynamic(context.activation.function()))
      run_second_replica(context, module, replicas->second, replicas->second,
                         std::span(context.arguments).subspan(1));
  }
  return gathered_outputs(context, output_place(context, output_device, first));
}

}  // namespace

void note_gathered(CallContext& context, const State& state, const Value& output) {
  const Value tensor = state.decider_of(output);
  if (!tensor.is_tensor()) return;
  const bool is_by_libtorch = models::find_effect(context.call().name) == Effect::kDataParallelCall;
  GatherEvent event{context.activation.site(context.instruction.range), tensor.place, tensor.origin,
                    is_by_libtorch};
  context.activation.notify(event, state);
}

bool is_divided(CallContext& context, const Value& input) {
  Value direct = context.state.read(input);
  if (!direct.is_tensor()) return false;
  if (direct.rank == Rank::kBatch) return true;
  // Of sizes that are written at its factory the first is not one: see rank_of_sizes.
  return min_dimensions(direct.rank) > 1 && direct.origin != 0 &&
         context.activation.origin_of(direct.origin).has_created_sizes();
}

bool has_one_device(CallContext& context) {
  if (std::optional<int64_t> seen = visible_devices(context)) return *seen < 2;
  Names& names = context.activation.names();
  Name more = names.term("lt", {names.intern("1"), names.intern(kDeviceCount)});
  return decided(context.state, more, names) == std::optional<bool>(false);
}

State state_of_replica(CallContext& context, ObjectId module, const Place& device) {
  State state = context.state;
  doubt_containers(state);
  OriginId origin = context.origin(OriginKind::kMoved);
  move_module(state, module, device, origin);
  Value marker = Value::device(device);
  marker.origin = origin;
  state.set_global(context.name(kReplicaRuns), marker);
  return state;
}

bool parallel_effect(CallContext& context, Effect effect, Value& result) {
  bool has_receiver = context.count() > 0;
  result = Value::unknown();
  switch (effect) {
    case Effect::kDataParallelCall:
      if (context.count() < 2) return false;
      result = data_parallel_call(context);
      return true;
    case Effect::kReplicate:
      if (context.count() < 2) return false;
      result = replicate(context);
      return true;
    case Effect::kParallelApply:
      if (context.count() < 2) return false;
      result = parallel_apply(context);
      return true;
    case Effect::kDataParallelMake:
      result = data_parallel_make(context);
      return true;
    case Effect::kDataParallelForward:
      if (has_receiver) result = data_parallel_forward(context);
      return true;
    case Effect::kDataParallelField:
      result = wrapper_field(context, std::string(ir::last_component(context.call().name)));
      return true;
    case Effect::kDataParallelModule: {
      const Object* wrapper =
          has_receiver ? context.state.object_of(context.arguments[0]) : nullptr;
      if (!wrapper || wrapper->registered.empty()) return false;
      result = wrapper->registered[0].value;
      return true;
    }
    case Effect::kAskMode:
      if (!has_receiver) return false;
      result = mode_of(context, context.state.object_id_of(context.arguments[0]));
      return true;
    default:
      return false;
  }
}

}  // namespace placecheck::dataflow
