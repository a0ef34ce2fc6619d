// Memory: who allocates it, and who uses it.
#include <algorithm>

#include "analyzer/dataflow/async_copies.h"
#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/memory_facts.h"
#include "analyzer/dataflow/scalars.h"
#include "analyzer/models/libraries/operands.h"

namespace placecheck::dataflow {
namespace {

using models::Effect;

// The numbers of cudaMemcpyKind.
constexpr int64_t kToDevice = 1;
constexpr int64_t kToHost = 2;

void use(CallContext& context, size_t i, MemoryUser user, const Place& device,
         OriginId selected_at) {
  MemoryUseEvent event;
  event.memory = memory_at(context, i);
  if (!event.memory.place.is_known()) return;
  bool on_device = user == MemoryUser::kDevice;
  if (on_device && event.memory.place.is_cpu() && context.activation.shares_host_memory()) return;
  event.site = context.activation.site(context.instruction.range);
  event.operation = context.call().name;
  event.user = user;
  event.current = device;
  event.selected_at = selected_at;
  PeerAccess& peers = context.activation.peers();
  bool crosses = user == MemoryUser::kDevice && event.memory.place.is_accelerator() &&
                 relate(event.memory.place, device) == Relation::kDifferent;
  if (crosses && peers.may_differ()) return peers.hold(std::move(event));
  context.activation.notify(event, context.state);
}

void use_memory(CallContext& context, size_t i, MemoryUser user) {
  use(context, i, user, current_device(context.activation, context.state),
      context.state.thread.selected_at);
}

void use_memory_where_it_is(CallContext& context, size_t i) {
  Place place = memory_at(context, i).place;
  if (!place.is_accelerator()) place = current_device(context.activation, context.state);
  use(context, i, MemoryUser::kDevice, place, context.state.thread.selected_at);
}

void allocate_at(CallContext& context, const Place& place, int64_t number = 0) {
  if (context.count() == 0) return;
  Value pointer = Value::pointer(place, context.origin(OriginKind::kAllocated), number);
  context.activation.assign(context.state, context.arguments[0], pointer);
}

// The stream's device; the current one where the stream is the default one.
Place place_of_stream(CallContext& context, size_t i) {
  Value stream = context.read(i);
  if (stream.is_handle()) return stream.place;
  bool is_default = stream.is(ValueKind::kNone) || (stream.is(ValueKind::kInt) && !stream.number);
  return is_default ? current_device(context.activation, context.state) : Place::cuda_at(0);
}

// What a field is whose bytes are zero, or unknown.
Value filled_field(const ir::Type& type, bool is_zero) {
  if (!is_zero) return Value::unknown();
  bool is_number = type.kind == ir::TypeKind::kInt || type.kind == ir::TypeKind::kFloat;
  if (is_number) return Value::integer(0);
  return type.kind == ir::TypeKind::kPointer ? Value::none() : Value::unknown();
}

// Bytes arrive in memory of the host whose content was followed.
void overwrite(CallContext& context, size_t i) {
  if (i >= context.count()) return;
  const Value& target = context.arguments[i];
  ObjectId id = context.state.object_id_of(target);
  const Object* object = id != kNoObject ? &context.state.object(id) : nullptr;
  if (object && object->kind == ObjectKind::kRecord && object->type) {
    Value byte = context.count() > 1 ? context.read(1) : Value::unknown();
    bool is_zero =
        context.call().name.ends_with("memset") && byte.is(ValueKind::kInt) && byte.number == 0;
    const ir::Class& type = *object->type;
    Object& record = context.state.edit(id);
    for (const ir::Field& field : type.fields)
      record.set(context.name(field.name), filled_field(field.type, is_zero));
  } else if (target.taken) {
    context.activation.assign(context.state, target, Value::unknown());
  } else if (id != kNoObject && context.state.object(id).kind == ObjectKind::kContainer) {
    Object& array = context.state.edit(id);
    open_container(array);
    array.rest = Value::unknown();
  }
}

// Where devices reach all memory of the host, it fits any direction.
MemoryFact end_of_copy(CallContext& context, size_t i) {
  MemoryFact memory = memory_at(context, i);
  memory.is_pinned |= memory.place.is_cpu() && context.activation.shares_host_memory();
  return memory;
}

// A copy names a device by its number. False where a computed number may be beyond the devices
// that there are: the copy fails for that reason then, wherever the memory is.
bool use_named_device(CallContext& context, size_t argument, const Place& device) {
  use_device(context, device, context.origin(OriginKind::kNamed));
  const ir::Instruction* named =
      context.activation.find_definition(context.call().arguments[argument].value);
  const bool is_literal = named && named->opcode == ir::Opcode::kConst;
  return is_literal || device.index < context.activation.assumed_devices();
}

// Without `direction`, a copy between devices, whose number is behind each pointer.
void copy_memory(CallContext& context, size_t from, std::optional<size_t> direction) {
  MemoryCopyEvent event;
  event.site = context.activation.site(context.instruction.range);
  event.operation = context.call().name;
  event.to = end_of_copy(context, 0);
  event.from = end_of_copy(context, from);
  bool is_known = true;
  if (direction) {
    Value value = context.read(*direction);
    is_known = value.is(ValueKind::kInt);
    event.direction = value.number;
  } else {
    const Names& names = context.activation.names();
    event.to_device = numbered(context.read(1), names);
    event.from_device = numbered(context.read(from + 1), names);
    is_known = use_named_device(context, 1, *event.to_device);
    is_known &= use_named_device(context, from + 1, *event.from_device);
  }
  if (is_known) context.activation.notify(event, context.state);
  overwrite(context, 0);
}

// Between memory and a variable of a device: (symbol, memory, size[, offset[, direction]]), or
// (memory, symbol, ...). The direction is the usual one where it is not given.
void copy_symbol(CallContext& context, size_t memory) {
  constexpr size_t kDirection = 4;
  MemoryCopyEvent event;
  event.site = context.activation.site(context.instruction.range);
  event.operation = context.call().name;
  (memory == 0 ? event.to : event.from) = end_of_copy(context, memory);
  Value given = context.count() > kDirection ? context.read(kDirection)
                                             : Value::integer(memory == 0 ? kToHost : kToDevice);
  event.direction = given.number;
  if (given.is(ValueKind::kInt)) context.activation.notify(event, context.state);
  if (memory == 0) overwrite(context, 0);
}

// The pointer at the address of a kernel's argument. An array there is the argument's own bytes,
// unless the kernel takes a pointer (`is_pointer`): then a variable leads to it.
std::optional<Value> argument_at(const State& state, const Value& element, bool is_pointer) {
  Value pointer = state.read(element);
  if (pointer.is_pointer()) return pointer;
  if (!is_pointer || !element.is(ValueKind::kAddress) || !element.taken) return std::nullopt;
  const Object* array = state.object_of(pointer);
  if (!array) {
    Value step = element;
    step.taken = false;
    Value held = state.pointed(step);
    return held.is(ValueKind::kAddress) ? std::optional<Value>(held) : std::nullopt;
  }
  auto leads_on = [](const Value& held) {
    return held.is_pointer() || held.is(ValueKind::kAddress) || held.is_object();
  };
  bool is_table = std::any_of(array->elements.begin(), array->elements.end(), leads_on);
  return is_table ? std::nullopt : std::optional<Value>(pointer);
}

// What pointers in a record lead to, where it is passed to a kernel as a whole.
void add_pointers_within(const State& state, const Value& record, std::vector<MemoryFact>& operands,
                         int depth = 0) {
  constexpr int kMostRecords = 4;  // within each other
  const Object* object = state.object_of(record);
  if (!object || depth == kMostRecords) return;
  for_each_value(*object, [&](const Value& held) {
    if (held.is_pointer()) operands.push_back(memory_behind(held));
    if (held.is_object()) add_pointers_within(state, held, operands, depth + 1);
  });
}

void launch_function(CallContext& context) {
  constexpr size_t kArguments = 3;
  constexpr size_t kStream = 5;
  const Object* list = context.count() > kArguments
                           ? context.state.object_of(context.arguments[kArguments])
                           : nullptr;
  std::vector<Value> elements = list ? list->elements : std::vector<Value>();
  std::string letters = context.text(context.read(context.named("signature"))).value_or("");
  std::vector<MemoryFact> operands;
  for (size_t i = 0; i < elements.size(); ++i) {
    bool is_pointer = i < letters.size() && letters[i] == 'p';
    std::optional<Value> pointer = argument_at(context.state, elements[i], is_pointer);
    if (!pointer) add_pointers_within(context.state, context.state.pointed(elements[i]), operands);
    if (!pointer) continue;
    CallContext one{context.activation, context.state, context.instruction, {*pointer}};
    use_memory(one, 0, MemoryUser::kDevice);
    operands.push_back(memory_at(one, 0));
  }
  use_handle(context, kStream, current_device(context.activation, context.state),
             context.state.thread.selected_at);
  give_kernel(context, std::move(operands), kStream);
}

void launch(CallContext& context) {
  size_t stream = context.named("stream");
  std::vector<MemoryFact> operands;
  for (size_t i = 0; i < context.count(); ++i) {
    if (i == stream) continue;
    if (i < context.call().arguments.size() && context.call().arguments[i].name == "within") {
      const Value given = context.read(i);
      if (given.is_pointer()) operands.push_back(memory_behind(given));  // an iterator over memory
      add_pointers_within(context.state, given, operands);
      continue;
    }
    use_memory(context, i, MemoryUser::kDevice);
    operands.push_back(memory_at(context, i));
  }
  use_handle(context, stream, current_device(context.activation, context.state),
             context.state.thread.selected_at);
  give_kernel(context, std::move(operands), stream);
}

// Pageable memory of the host becomes pinned, wherever it is named from now on.
void pin(CallContext& context, bool pinned) {
  if (context.count() == 0) return;
  const Value& argument = context.arguments[0];
  bool names_array = argument.taken && context.state.has(argument.object);
  ObjectId id = names_array ? argument.object : context.state.object_id_of(argument);
  if (context.read(0).is_pointer() && !names_array) {
    context.activation.assign(context.state, argument, Value::unknown());
  } else if (id != kNoObject) {
    context.state.edit(id).set(context.name(kPinnedField), Value::boolean(pinned));
  }
}

// (attributes, pointer): what the runtime knows of memory of a device.
void store_attributes(CallContext& context) {
  constexpr int64_t kDeviceMemory = 2;
  ObjectId id = context.state.object_id_of(context.arguments[0]);
  if (id == kNoObject) return;
  MemoryFact memory = memory_at(context, 1);
  bool is_device = memory.place.is_accelerator();
  bool is_numbered = is_device && memory.place.index >= 0;
  Object& attributes = context.state.edit(id);
  attributes.set(context.name("type"),
                 is_device ? Value::integer(kDeviceMemory) : Value::unknown());
  attributes.set(context.name("device"),
                 is_numbered ? Value::integer(memory.place.index) : Value::unknown());
}

Value place_elsewhere(CallContext& context) {
  if (context.count() == 0) return Value::unknown();
  ObjectId id = context.state.object_id_of(context.arguments[0]);
  if (id != kNoObject)
    context.state.edit(id).set(context.name(kElsewhereField), Value::boolean(true));
  return context.arguments[0];
}

constexpr std::string_view kDeviceAllocatorType = "PyTorch's allocator of device memory";

Value make_device_allocator(CallContext& context) {
  Object allocator;
  allocator.kind = ObjectKind::kLibrary;
  allocator.type_name = context.name(kDeviceAllocatorType);
  return context.make(std::move(allocator));
}

bool is_device_allocator(CallContext& context) {
  const Object* object =
      context.count() > 0 ? context.state.object_of(context.arguments[0]) : nullptr;
  return object && object->type_name == context.name(kDeviceAllocatorType);
}

bool allocate(CallContext& context, Effect effect, Value& result) {
  switch (effect) {
    case Effect::kAllocateDevice:
      allocate_at(context, current_device(context.activation, context.state));
      break;
    case Effect::kAllocateOrdered:
      allocate_at(context, place_of_stream(context, context.count() - 1));
      break;
    case Effect::kAllocateManaged:
      allocate_at(context, Place::unknown());
      break;
    case Effect::kAllocatePinned:
      allocate_at(context, Place::cpu(), Value::kPinned);
      break;
    case Effect::kAllocateHost: {
      Object array = open_list(Value::none());
      array.origin = context.origin(OriginKind::kAllocated);
      result = context.make(std::move(array));
      return true;
    }
    case Effect::kMakeArray:
      result = make_array(context);
      return true;
    case Effect::kDeviceAllocator:
      result = make_device_allocator(context);
      return true;
    case Effect::kAllocateWith:
      if (!is_device_allocator(context)) return false;
      [[fallthrough]];
    case Effect::kAllocateCached:
      start_devices(context);
      result = Value::pointer(current_device(context.activation, context.state),
                              context.origin(OriginKind::kAllocated));
      return true;
    default:
      return false;
  }
  start_devices(context);
  result = Value::integer(0);
  return true;
}

// Where a tensor's elements lie. On the host they may be pinned, if the program pins anything.
Value data_pointer(CallContext& context) {
  Value tensor = context.state.decider_of(context.arguments[0]);
  Place place = tensor.is_tensor() ? context.state.place_of(tensor) : Place::unknown();
  if (place.is_cpu() && context.activation.pins_memory()) place = Place::unknown();
  return Value::pointer(place, tensor.origin);
}

}  // namespace

Place current_device(Activation& activation, const State& state) {
  if (!state.thread.device_is_callers) return state.thread.current_device;
  return Place::cuda_at(activation.name(kCallersDevice));
}

void use_memory_on(CallContext& context, size_t i, const Place& device, OriginId selected_at) {
  use(context, i, MemoryUser::kDevice, device, selected_at);
}

void take_memory_for(CallContext& context, size_t i, const Place& place) {
  if (place.is_cpu()) use(context, i, MemoryUser::kHost, place, 0);
  if (place.is_accelerator()) use(context, i, MemoryUser::kDevice, place, 0);
}

void host_access(Activation& activation, const State& state, const Value& accessed,
                 const ir::Range& range) {
  if (!accessed.is_pointer() || accessed.path != Value::kWithin) return;
  note_host_read(activation, state, accessed, range);
  MemoryUseEvent event;
  event.site = activation.site(range);
  event.user = MemoryUser::kHost;
  event.memory = memory_behind(accessed);
  event.memory.range = range;
  if (event.memory.place.is_known()) activation.notify(event, state);
}

bool memory_effect(CallContext& context, Effect effect, Value& result) {
  if (allocate(context, effect, result)) return true;
  if (effect == Effect::kDataPointer && context.count() > 0) {
    result = data_pointer(context);
    return true;
  }
  if (effect == Effect::kPlaceElsewhere || effect == Effect::kShadow) {
    result = effect == Effect::kShadow ? Value::pointer(Place::cpu(), 0) : place_elsewhere(context);
    return true;
  }
  result = Value::integer(0);
  switch (effect) {
    case Effect::kPinHost:
    case Effect::kUnpinHost:
      pin(context, effect == Effect::kPinHost);
      break;
    case Effect::kReleaseDevice:
      use_memory(context, 0, MemoryUser::kDeviceRelease);
      break;
    case Effect::kReleasePinned:
      use_memory(context, 0, MemoryUser::kPinnedRelease);
      break;
    case Effect::kReleaseHost:
      use_memory(context, 0, MemoryUser::kHostRelease);
      return true;
    case Effect::kCopyMemory:
      copy_memory(context, 1, 3);
      break;
    case Effect::kCopyMemoryRows:
      copy_memory(context, 2, 6);
      break;
    case Effect::kCopyBetweenDevices:
      copy_memory(context, 2, std::nullopt);
      break;
    case Effect::kStoreAttributes:
      if (context.count() > 1) store_attributes(context);
      break;
    case Effect::kCopyToSymbol:
    case Effect::kCopyFromSymbol:
      copy_symbol(context, effect == Effect::kCopyToSymbol ? 1 : 0);
      break;
    case Effect::kLaunch:
      launch(context);
      break;
    case Effect::kLaunchFunction:
      launch_function(context);
      break;
    default:
      return false;
  }
  start_devices(context);
  return true;
}

bool uses_call(CallContext& context, Value& result) {
  const std::string& name = context.call().name;
  std::string_view operands = models::operands_of(name);
  if (operands.empty()) return false;
  for (size_t i = 0; i < operands.size() && i < context.count(); ++i) {
    models::Use use = models::use_of(operands[i]);
    if (use == models::Use::kDeviceMemory) use_memory(context, i, MemoryUser::kDevice);
    if (use == models::Use::kAnyDevicesMemory) use_memory_where_it_is(context, i);
    if (use == models::Use::kHostMemory) use_memory(context, i, MemoryUser::kHost);
    std::optional<bool> on_device =
        use == models::Use::kScalar ? reads_scalars_on_device(context) : std::nullopt;
    if (on_device) use_memory(context, i, *on_device ? MemoryUser::kDevice : MemoryUser::kHost);
    if (use != models::Use::kHandle) continue;
    use_handle(context, i, current_device(context.activation, context.state),
               context.state.thread.selected_at);
  }
  bool is_library = name.starts_with("cu");
  if (is_library) start_devices(context);
  if (!is_library) overwrite(context, 0);
  if (name.starts_with("std::copy") && name != "std::copy_n") overwrite(context, 2);
  bool returns_target =
      context.count() > 0 && ir::last_component(name).starts_with("mem") && !name.ends_with("cmp");
  result = is_library       ? Value::integer(0)
           : returns_target ? context.arguments[0]
                            : context.activation.fresh_symbol(context.instruction, context.state);
  return true;
}

}  // namespace placecheck::dataflow
