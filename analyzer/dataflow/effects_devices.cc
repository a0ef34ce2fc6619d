// Devices, tensor options, and which CUDA device is current.
#include "analyzer/dataflow/conditions.h"
#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/scalars.h"
#include "analyzer/dataflow/text_terms.h"
#include "analyzer/ir/walk.h"

namespace placecheck::dataflow {
namespace {

// Of a guard: the device that was current before it.
constexpr std::string_view kRestoredField = "restored device";
// What PyTorch gives for the CPU, which has no number.
constexpr int64_t kIndexOfHost = -1;

using models::Effect;

// A truth is a number as well: `Device(kCUDA, is_available())`.
bool is_constant_number(const Value& value) {
  return value.is(ValueKind::kInt) || value.is(ValueKind::kBool);
}

// A kind of device and a number are one device.
Value with_index(Value device, const Value& index, const Names& names) {
  if (device.place.kind != PlaceKind::kCuda) return device;
  if (is_constant_number(index)) {
    device.place =
        Place::cuda(index.number < 0 ? Place::kCurrent : static_cast<int32_t>(index.number));
  } else if (index.is(ValueKind::kSymbol)) {
    device.place = numbered(index, names);
  } else {
    device.place = Place::cuda_at(0);
  }
  return device;
}

// DLDeviceType of dlpack.h.
constexpr int64_t kDlpackHost = 1;
constexpr int64_t kDlpackCuda = 2;

Value dlpack_kind(CallContext& context, const Place& place) {
  if (place.is_cpu()) return Value::integer(kDlpackHost);
  if (place.is_accelerator()) return Value::integer(kDlpackCuda);
  if (place.kind != PlaceKind::kAlike)
    return context.activation.fresh_symbol(context.instruction, context.state);
  return Value::symbol(context.activation.names().term("DLDeviceType", {place.symbol}));
}

Value dlpack_device(CallContext& context) {
  const Value tensor = context.state.decider_of(context.arguments[0]);
  const Place place = tensor.is_tensor() ? tensor.place : Place::unknown();
  Object device;
  device.type_name = context.name("DLDevice");
  device.set(context.name("device_type"), dlpack_kind(context, place));
  device.set(context.name("device_id"), number_of(context, place));
  return context.make(std::move(device));
}

Value make_device(CallContext& context) {
  Value first = context.read(0);
  if (first.is(ValueKind::kString) || first.is(ValueKind::kSymbol)) {
    note_device_text(context, first);
    Value device = Value::device(device_from_text(context, first));
    device.origin = context.origin(OriginKind::kNamed);
    return device;
  }
  if (!first.is(ValueKind::kDevice)) {
    return first.is(ValueKind::kOptions) ? first : Value::device(Place::unknown());
  }
  Value device = first;
  device.origin = context.origin(OriginKind::kNamed);
  return context.count() < 2 ? device
                             : with_index(device, context.read(1), context.activation.names());
}

Value is_type(CallContext& context, bool cuda) {
  Value value = context.read(0);
  Place place = value.is_tensor() ? context.state.place_of(value) : value.place;
  bool placed = value.is(ValueKind::kDevice) || value.is_tensor();
  if (placed && place.is_known()) {
    Value answer = Value::boolean(place.is_accelerator() == cuda);
    answer.asked = value.is_tensor() || value.asked;
    return answer;
  }
  // The same tensor gives the same answer, and it is on the one or the other.
  if (placed && place.kind == PlaceKind::kAlike) {
    Names& names = context.activation.names();
    const Name is_cuda = names.term(kIsCuda, {place.symbol});
    return Value::symbol(cuda ? is_cuda : negated(is_cuda, names));
  }
  // The program knows the answer and this analysis has lost it: either may contradict what else is
  // known of that place.
  Value answer = context.activation.fresh_symbol(context.instruction, context.state);
  context.state.lose(answer.name);
  return answer;
}

void set_option(CallContext& context, Value& options, const Value& value) {
  if (value.is(ValueKind::kOptions)) {
    bool gradient = options.requires_grad || value.requires_grad;
    if (value.has_place) options = value;
    options.requires_grad = gradient;
    return;
  }
  std::optional<Place> place = named_place(context, value);
  if (!place) return;
  options.place = *place;
  options.has_place = true;
  options.input = value.input;
  options.origin = value.is(ValueKind::kString) ? context.origin(OriginKind::kNamed) : value.origin;
}

void set_requires_grad(CallContext& context, Value& options, size_t argument) {
  Value wanted = context.read(argument);
  options.requires_grad = !wanted.is(ValueKind::kBool) || wanted.number != 0;
}

Value with_option(CallContext& context) {
  Value options = context.read(0);
  if (!options.is(ValueKind::kOptions)) options = Value::options();
  if (context.call().name.ends_with("::device") && context.count() == 1) {
    return Value::device(options.has_place ? options.place : Place::cpu());
  }
  if (context.call().name.ends_with("::device_index")) {
    options.has_place = true;
    options.origin = context.origin(OriginKind::kNamed);
    options.place = is_constant_number(context.read(1))
                        ? Place::cuda(static_cast<int32_t>(context.read(1).number))
                        : Place::cuda_at(0);
    return options;
  }
  if (context.call().name.ends_with("::pinned_memory")) {
    options.number = pinning(context.read(1));
    return options;
  }
  if (context.call().name.ends_with("::requires_grad")) {
    set_requires_grad(context, options, 1);
    return options;
  }
  bool names_device = context.call().name.ends_with("::device");
  if (names_device && context.read(1).is(ValueKind::kString))
    note_device_text(context, context.read(1));
  if (names_device && context.count() > 1 && !named_place(context, context.read(1))) {
    options.has_place = true;
    options.place = Place::unknown();
    return options;
  }
  if (names_device && context.count() == 3 && context.read(1).is(ValueKind::kDevice)) {
    set_option(context, options,
               with_index(context.read(1), context.read(2), context.activation.names()));
    return options;
  }
  for (size_t i = 1; i < context.count(); ++i) set_option(context, options, context.read(i));
  return options;
}

Place device_argument(CallContext& context, size_t i) {
  Value value = context.read(i);
  if (is_constant_number(value)) return Place::cuda(static_cast<int32_t>(value.number));
  if (value.is(ValueKind::kDevice) || value.is_handle()) return resolve(context.state, value.place);
  if (value.is_tensor()) return context.state.place_of(value);
  return numbered(value, context.activation.names());
}

// A number selects here what else was named before.
OriginId named_at(CallContext& context, size_t i) {
  Value value = context.read(i);
  return is_constant_number(value) ? context.origin(OriginKind::kNamed) : value.origin;
}

Place callers_device(CallContext& context) { return Place::cuda_at(context.name(kCallersDevice)); }

void select_device(CallContext& context, const Place& place) {
  ThreadState& thread = context.state.thread;
  bool is_callers = place == callers_device(context);
  thread.current_device = is_callers ? Place::cuda(0) : place;
  thread.device_is_callers = is_callers;
  thread.has_selected = true;
  thread.is_guarded = false;
  thread.selected_at = context.origin(OriginKind::kNamed);
}

// The number that stands for no device leaves things as they are.
bool names_no_device(CallContext& context, size_t i) {
  Value value = context.read(i);
  return context.count() <= i || value.is(ValueKind::kNone) ||
         (value.is(ValueKind::kInt) && value.number < 0);
}

// On this path the program has found that the tensor is on the CPU.
bool is_assumed_on_host(CallContext& context, const Place& place) {
  if (place.kind != PlaceKind::kAlike) return false;
  Names& names = context.activation.names();
  return context.state.assumed(names.term(kIsCuda, {place.symbol})) == false;
}

void select_for_guard(CallContext& context, size_t i) {
  if (names_no_device(context, i)) return;
  Place place = device_argument(context, i);
  use_device(context, place, named_at(context, i));
  if (place.is_cpu() || is_assumed_on_host(context, place)) return;
  select_device(context, place.kind == PlaceKind::kUnknown ? Place::cuda_at(0) : place);
  context.state.thread.is_guarded = true;
}

// The global that has the number of the device that a call asked about.
Name asked_about(CallContext& context, const ir::Instruction& call) {
  return context.name("<device asked about at " + context.activation.number_of(call) + ">");
}

// Whether what is asked before, in the same block, is about another device than the current one.
bool is_asked_beside_another(CallContext& context, const Place& current) {
  for (const ir::Block& block : context.activation.function().blocks) {
    const auto is_it = [&](const ir::Instruction& each) { return &each == &context.instruction; };
    const auto here = std::ranges::find_if(block.instructions, is_it);
    if (here == block.instructions.end()) continue;
    return std::any_of(block.instructions.begin(), here, [&](const ir::Instruction& each) {
      if (each.opcode != ir::Opcode::kCall || effect_of(each.call) != Effect::kStoreProperties)
        return false;
      const Value* index = context.state.find_global(asked_about(context, each));
      return index && index->is(ValueKind::kInt) && index->number != current.index;
    });
  }
  return false;
}

void notify_query(CallContext& context, const Place& current) {
  context.activation.notify(
      DeviceQueryEvent{context.activation.site(context.instruction.range), current}, context.state);
}

// A loop over the devices that asks the current one for each learns the same of all.
void note_query_of_current(CallContext& context) {
  const Place current = current_device(context.activation, context.state);
  if (current.kind != PlaceKind::kCuda || current.index < 0) return;
  if (is_asked_beside_another(context, current)) return notify_query(context, current);
  const std::vector<Value> counters =
      context.activation.device_counters(context.instruction, context.state);
  const auto is_for_another = [&](const Value& counter) {
    return context.activation.is_of_later_iteration(counter) ||
           (counter.is(ValueKind::kInt) && counter.number != current.index);
  };
  if (!counters.empty() && std::ranges::all_of(counters, is_for_another))
    notify_query(context, current);
}

// What a guard restores beside the device.
constexpr int64_t kCallers = 1;
constexpr int64_t kGuarded = 2;

// A guard without a name ends with its statement. Where the device is not known, it is another one
// in some run.
void note_dropped_guard(CallContext& context, bool is_named) {
  if (context.count() == 0 || names_no_device(context, 0)) return;
  const Place wanted = device_argument(context, 0);
  const Place current = context.state.thread.current_device;
  const bool is_another = relate(wanted, current) == Relation::kDifferent;
  const bool is_for_any = wanted.symbol != 0 && current.is_known() && current.symbol == 0;
  if (!wanted.is_accelerator() || (!is_another && !is_for_any)) return;
  context.activation.notify(DroppedGuardEvent{context.activation.site(context.instruction.range),
                                              wanted, current, is_named},
                            context.state);
}

// Whether a call in the scope of a guard does the same whatever device is current.
bool ignores_current_device(const ir::Instruction& call, const ir::Instruction& guard) {
  constexpr std::string_view kIgnoring[] = {
      "c10::Device::Device", "std::operator<<", "std::basic_ostream::operator<<",
      "std::cout",           "std::cerr",       "torch::cuda::device_count"};
  const std::string& name = call.call.name;
  const bool names_device = name == "torch::cuda::synchronize" && !call.call.arguments.empty();
  return &call == &guard || names_device || is_scalar_operation(name) ||
         std::ranges::find(kIgnoring, name) != std::end(kIgnoring);
}

// A guard that is a variable of a function which does nothing else: `void select(int device)`.
bool guards_nothing(CallContext& context) {
  const ir::Function& function = context.activation.function();
  if (is_dynamic(function) || function.is_entry) return false;
  bool is_variable = false, is_used = false;
  ir::walk_instructions(function, [&](const ir::Instruction& each, ir::InstructionPlace) {
    is_variable |= each.opcode == ir::Opcode::kStore && !each.symbol.starts_with("@") &&
                   !each.operands.empty() && each.operands.back() == context.instruction.result;
    is_used |=
        each.opcode == ir::Opcode::kClosure ||
        (each.opcode == ir::Opcode::kCall && !ignores_current_device(each, context.instruction));
  });
  return is_variable && !is_used;
}

Value make_guard(CallContext& context) {
  Object guard;
  guard.kind = ObjectKind::kLibrary;
  keep_device(context, guard);
  const bool is_named = !context.call().discarded;
  if (!is_named || guards_nothing(context)) note_dropped_guard(context, is_named);
  if (is_named) select_for_guard(context, 0);
  return context.make(std::move(guard));
}

// What tells a device that is not known from others.
Value key_of_some_device(CallContext& context) {
  Value fresh = context.activation.fresh_symbol(context.instruction, context.state);
  return Value::symbol(context.activation.names().term(kSomeDevice, {fresh.name}));
}

void enable_peer(CallContext& context) {
  start_devices(context);
  use_device(context, device_argument(context, 0), named_at(context, 0));
  context.activation.peers().enable(context.instruction,
                                    current_device(context.activation, context.state),
                                    device_argument(context, 0));
}

// As many as are visible, where that is certain; else a number of which little is known.
Value device_count(CallContext& context) {
  if (std::optional<int64_t> devices = counted_devices(context)) return Value::integer(*devices);
  const bool is_listed = context.state.setup.list != DeviceSetup::List::kNotSet;
  return Value::symbol(context.name(is_listed ? "the number of visible devices" : kDeviceCount));
}

}  // namespace

void note_asked_about(CallContext& context) {
  context.state.set_global(asked_about(context, context.instruction), context.read(1));
}

void keep_device(CallContext& context, Object& guard) {
  const ThreadState& thread = context.state.thread;
  Value restored = Value::device(thread.current_device);
  restored.number = (thread.device_is_callers ? kCallers : 0) | (thread.is_guarded ? kGuarded : 0);
  guard.set(context.name(kRestoredField), restored);
}

bool restore_device(State& state, const Value& guard, Names& names) {
  const Object* object = state.object_of(guard);
  const Value* restored = object ? object->find(names.intern(kRestoredField)) : nullptr;
  if (!restored) return false;
  state.thread.current_device = restored->place;
  state.thread.device_is_callers = (restored->number & kCallers) != 0;
  state.thread.is_guarded = (restored->number & kGuarded) != 0;
  return true;
}

Value number_of(CallContext& context, const Place& place) {
  Names& names = context.activation.names();
  if (place.kind == PlaceKind::kCuda && place.index >= 0) return Value::integer(place.index);
  if (place.is_cpu()) return Value::integer(kIndexOfHost);
  if (place.kind == PlaceKind::kAlike)
    return Value::symbol(names.term(kSomeDevice, {place.symbol}));
  const bool is_by_symbol = place.index == Place::kSomeIndex || place.index == Place::kLast;
  if (place.kind == PlaceKind::kCuda && is_by_symbol && place.symbol != 0)
    return Value::symbol(place.symbol);
  return key_of_some_device(context);
}

Place numbered(const Value& number, const Names& names) {
  if (number.is(ValueKind::kInt)) return Place::cuda(static_cast<int32_t>(number.number));
  if (!number.is(ValueKind::kSymbol)) return Place::cuda_at(0);
  if (names.is_term(number.name, kSomeDevice)) return Place::alike(names.operands(number.name)[0]);
  return offset_from_count(number, names) == std::optional<int64_t>(-1)
             ? Place::last_cuda(number.name)
             : Place::cuda_at(number.name);
}

Place resolve(const State& state, const Place& place) {
  bool current = place.kind == PlaceKind::kCuda && place.index == Place::kCurrent;
  return current ? state.thread.current_device : place;
}

// The number that is spelled behind "cuda:", and nothing else.
static std::optional<Name> number_behind_cuda(CallContext& context, Name text) {
  Names& names = context.activation.names();
  const std::vector<Name>& parts = names.operands(text);
  if (!names.is_term(text, "add") || parts.size() != 2 || names.text(parts[0]) != "'cuda:'")
    return std::nullopt;
  const Name spelled = parts[1];
  if (names.text(spelled).starts_with(kVariable)) return names.term(kInteger, {spelled});
  if (!names.is_term(spelled, "text")) return std::nullopt;
  const Name number = names.operands(spelled)[0];
  return names.text(number).starts_with(kVariable) ? names.term(kInteger, {number}) : number;
}

Place device_from_text(CallContext& context, const Value& text) {
  const std::string& key = context.activation.names().text(text.name);
  if (text.is(ValueKind::kString)) return parse_device(key);
  // "cuda:" + something
  if (std::optional<Name> number = number_behind_cuda(context, text.name))
    return numbered(Value::symbol(*number), context.activation.names());
  if (names_cuda_device(text, context.activation.names())) return Place::cuda_at(text.name);
  // One of several texts may name the CPU.
  return key.starts_with(kJoined) ? Place::unknown() : Place::chosen(text.name);
}

std::optional<Place> named_place(CallContext& context, const Value& value) {
  if (value.is(ValueKind::kDevice)) return resolve(context.state, value.place);
  if (value.is(ValueKind::kOptions) && value.has_place) return resolve(context.state, value.place);
  if (value.is(ValueKind::kString)) {
    Place place = device_from_text(context, value);
    if (place.is_known()) return resolve(context.state, place);
  }
  return std::nullopt;
}

bool device_effect(CallContext& context, Effect effect, Value& result) {
  switch (effect) {
    case Effect::kMakeDevice:
      result = make_device(context);
      return true;
    case Effect::kDlpackDevice:
      result = dlpack_device(context);
      return true;
    case Effect::kDeviceIsCuda:
      result = is_type(context, true);
      return true;
    case Effect::kDeviceIsCpu:
      result = is_type(context, false);
      return true;
    case Effect::kDeviceType:
      result = context.read(0);
      if (result.place.kind == PlaceKind::kCuda) result.place = Place::cuda(Place::kCurrent);
      return true;
    case Effect::kDeviceHasIndex: {
      const Value device = context.read(0);
      const bool has_none =
          device.place.is_cpu() || (device.place == Place::cuda(Place::kCurrent) && !device.asked);
      const bool has_one = device.place.kind == PlaceKind::kCuda && device.place.index >= 0;
      result = has_none || has_one
                   ? Value::boolean(has_one)
                   : context.activation.fresh_symbol(context.instruction, context.state);
      return true;
    }
    case Effect::kDeviceIndex: {
      result = number_of(context, context.read(0).place);
      result.asked = context.read(0).asked;
      return true;
    }
    case Effect::kDeviceText: {
      const Place place = context.read(0).place;
      bool known =
          place.kind == PlaceKind::kCpu || (place.kind == PlaceKind::kCuda && place.index >= 0);
      const bool has_no_index = place == Place::cuda(Place::kCurrent);
      const Names& names = context.activation.names();
      result = known || has_no_index ? Value::string(context.name(to_text(place, names)))
                                     : key_of_some_device(context);
      result.asked = context.read(0).asked;
      return true;
    }
    case Effect::kMakeOptions:
      result = Value::options();
      if (context.count() > 1 && context.read(0).is(ValueKind::kDevice) &&
          context.read(1).is_scalar()) {
        set_option(context, result,
                   with_index(context.read(0), context.read(1), context.activation.names()));
        return true;
      }
      for (size_t i = 0; i < context.count(); ++i) {
        if (context.read(i).is(ValueKind::kString)) note_device_text(context, context.read(i));
        set_option(context, result, context.read(i));
        // What is not understood may be a device.
        if (context.read(i).is(ValueKind::kUnknown) && !result.has_place) {
          result.has_place = true;
          result.place = Place::unknown();
        }
      }
      if (context.call().name.ends_with("::requires_grad")) set_requires_grad(context, result, 0);
      return true;
    case Effect::kWithOption:
      result = with_option(context);
      return true;
    case Effect::kDeviceOfOptions: {
      Value options = context.read(0);
      Place place = options.is_tensor() ? context.state.place_of(options)
                    : options.has_place ? options.place
                                        : Place::unknown();
      result = Value::device(place);
      return true;
    }
    case Effect::kCudaIsAvailable:
      start_devices(context);
      result = Value::boolean(visible_devices(context).value_or(1) > 0);
      return true;
    case Effect::kDeviceCount:
      start_devices(context);
      [[fallthrough]];
    case Effect::kDeviceCountByNvml:
      result = device_count(context);
      return true;
    case Effect::kAskMemory:
      start_devices(context);
      note_query_of_current(context);
      return false;
    case Effect::kAskMemoryOf:
      if (names_no_device(context, 0)) note_query_of_current(context);
      [[fallthrough]];
    case Effect::kAskDevice:
      start_devices(context);
      if (!names_no_device(context, 0))
        use_device(context, device_argument(context, 0), named_at(context, 0));
      result = Value::unknown();
      return true;
    case Effect::kCurrentDevice:
      result = number_of(context, current_device(context.activation, context.state));
      return true;
    case Effect::kExchangeDevice:
    case Effect::kSetDevice: {
      const Value before = number_of(context, current_device(context.activation, context.state));
      select_device(context, device_argument(context, 0));
      use_device(context, context.state.thread.current_device, named_at(context, 0));
      // It was refused where it is selected.
      if (context.state.thread.current_device.symbol == context.name(kDeviceCount))
        context.state.thread.current_device = Place::cuda_at(0);
      result =
          context.call().type.kind == ir::TypeKind::kInt ? Value::integer(0) : Value::unknown();
      if (effect == Effect::kExchangeDevice) result = before;
      return true;
    }
    case Effect::kDeviceGuard:
      result = make_guard(context);
      return true;
    case Effect::kAskPeer:
      start_devices(context);
      for (size_t i : {1, 2})
        use_device(context, device_argument(context, i), named_at(context, i));
      if (context.count() > 0)
        context.activation.assign(
            context.state, context.arguments[0],
            context.activation.fresh_symbol(context.instruction, context.state));
      result = Value::integer(0);
      return true;
    case Effect::kStreamOfDevice: {
      const Value device = context.read(1);
      const bool is_current = context.count() < 2 || device.is(ValueKind::kNone) ||
                              (device.is(ValueKind::kInt) && device.number < 0);
      const Place place = is_current ? current_device(context.activation, context.state)
                                     : device_argument(context, 1);
      result = Value::handle(context.name("stream"), place, context.origin(OriginKind::kNamed));
      return true;
    }
    case Effect::kEnablePeer:
      enable_peer(context);
      result = Value::integer(0);
      return true;
    case Effect::kGuardSelect:
      select_for_guard(context, 1);
      return true;
    case Effect::kGuardReset:
      if (context.count() > 0)
        restore_device(context.state, context.arguments[0], context.activation.names());
      return true;
    default:
      return false;
  }
}

}  // namespace placecheck::dataflow
