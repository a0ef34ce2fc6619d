#include "analyzer/dataflow/async_copies.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/memory_facts.h"

namespace placecheck::dataflow {
namespace {

// What is pending is kept as globals, so that it is seen across calls: one that says whether there
// is anything, and one for each copy, named after where the memory that it writes was made.
constexpr std::string_view kAny = "@copies under way";
constexpr std::string_view kOne = "@copy under way to #";

constexpr int64_t kToHost = 2;

// After these, all that the device was given is done, or the program has asked whether it is.
constexpr std::string_view kWaits[] = {
    "at::cuda::CUDAEvent::query",
    "at::cuda::CUDAEvent::synchronize",
    "at::cuda::stream_synchronize",
    "c10::Event::synchronize",
    "c10::Stream::synchronize",
    "c10::cuda::CUDAStream::query",
    "c10::cuda::CUDAStream::synchronize",
    "c10::cuda::stream_synchronize",
    "cudaEventQuery",
    "cudaEventSynchronize",
    "cudaFree",
    "cudaMemcpy",
    "cudaMemcpy2D",
    "cudaStreamQuery",
    "cudaStreamSynchronize",
};

// The same of one device: the current one, or that of the argument.
constexpr std::string_view kDeviceWaits[] = {
    "at::cuda::device_synchronize", "c10::cuda::device_synchronize", "cudaDeviceSynchronize",
    "cudaThreadSynchronize", "torch::cuda::synchronize"};

// Methods of a tensor on the host that look at its elements.
constexpr std::string_view kReaders[] = {
    "abs",          "add",
    "all",          "allclose",
    "any",          "argmax",
    "argmin",       "clone",
    "cumsum",       "div",
    "dot",          "eq",
    "equal",        "exp",
    "ge",           "gt",
    "item",         "le",
    "log",          "lt",
    "max",          "mean",
    "min",          "mul",
    "ne",           "neg",
    "nonzero",      "norm",
    "pow",          "print",
    "prod",         "sort",
    "sqrt",         "std",
    "sub",          "sum",
    "toString",     "topk",
    "unique",       "is_nonzero",
    "operator<<",   "operator+",
    "operator-",    "operator*",
    "operator/",    "masked_select",
    "index_select",
};

bool is_reader(std::string_view name) {
  bool is_tensors = name.starts_with("at::") || name.starts_with("torch::") ||
                    name.starts_with("op.") || name.starts_with("c10::");
  std::string_view method = ir::last_component(name);
  if (method.starts_with("op.")) method.remove_prefix(3);
  return is_tensors && std::ranges::find(kReaders, method) != std::end(kReaders);
}

bool is_on_device(const Place& place) {
  return place.is_accelerator() || place.kind == PlaceKind::kAlike;
}

bool waits(CallContext& context) {
  const std::string& name = context.call().name;
  if (std::ranges::find(kWaits, name) != std::end(kWaits)) return true;
  // What is in a tensor of a device is waited for, in its stream.
  constexpr std::string_view kAsking[] = {"cpu",           "equal",   "is_nonzero", "item",
                                          "masked_select", "nonzero", "unique"};
  bool asks = std::ranges::find(kAsking, ir::last_component(name)) != std::end(kAsking);
  return asks && context.count() > 0 && context.read(0).is_tensor() &&
         is_on_device(context.state.place_of(context.read(0)));
}

// The device for whose work the call waits; nothing where it waits for none, or for some only.
std::optional<Place> device_waited_for(CallContext& context) {
  if (std::ranges::find(kDeviceWaits, context.call().name) == std::end(kDeviceWaits))
    return std::nullopt;
  const Place current = context.state.thread.current_device;
  if (context.count() == 0) return current;
  const Value index = context.read(0);
  if (!index.is(ValueKind::kInt)) return Place::unknown();
  return index.number < 0 ? current : Place::cuda(static_cast<int32_t>(index.number));
}

Name slot_of(OriginId memory, Names& names) {
  return names.intern(std::string(kOne) + std::to_string(memory));
}

bool is_any(const State& state, Names& names) {
  const Value* any = state.find_global(names.intern(kAny));
  return any && any->is(ValueKind::kBool) && any->number != 0;
}

const Value* copy_to(OriginId memory, const State& state, Names& names) {
  if (memory == 0 || !is_any(state, names)) return nullptr;
  const Value* copy = state.find_global(slot_of(memory, names));
  return copy && copy->is(ValueKind::kBool) && copy->number != 0 ? copy : nullptr;
}

void report(Activation& activation, const State& state, const Value& copy, std::string operation,
            const ir::Range& at, const ir::Range& read) {
  EarlyReadEvent event;
  event.site = activation.site(at);
  event.operation = std::move(operation);
  event.range = read;
  event.copied_at = activation.origin_of(copy.origin).site;
  activation.notify(event, state);
}

void begin_copy(CallContext& context, State& state, OriginId memory, const Place& from) {
  Names& names = context.activation.names();
  Value copy = Value::boolean(true);
  copy.place = from;
  copy.origin = context.origin(OriginKind::kMoved);
  state.set_global(names.intern(kAny), Value::boolean(true));
  state.set_global(slot_of(memory, names), copy);
}

// `to(place, [dtype,] non_blocking, ...)`: the first truth among the arguments.
bool is_transfer_without_waiting(CallContext& context) {
  const std::string& name = context.call().name;
  if (!name.starts_with("at::Tensor") || ir::last_component(name) != "to") return false;
  for (size_t i = 2; i < context.count(); ++i) {
    Value flag = context.read(i);
    if (flag.is(ValueKind::kBool)) return flag.number != 0;
  }
  return false;
}

// `copy_(source, non_blocking)` into pinned memory, which is what makes it asynchronous.
bool is_copy_without_waiting(CallContext& context) {
  const std::string& name = context.call().name;
  if (!name.starts_with("at::") || ir::last_component(name) != "copy_") return false;
  const Value flag = context.read(context.count() - 1);
  return context.count() > 2 && flag.is(ValueKind::kBool) && flag.number != 0;
}

}  // namespace

void forget_copies(State& state, Names& names) {
  if (!is_any(state, names)) return;
  for (const auto& [name, value] : std::vector<std::pair<Name, Value>>(state.globals)) {
    const std::string& text = names.text(name);
    if (text == kAny || text.starts_with(kOne)) state.set_global(name, Value::boolean(false));
  }
}

// The work of `device` is done.
static void forget_copies_from(State& state, const Place& device, Names& names) {
  for (const auto& [name, value] : std::vector<std::pair<Name, Value>>(state.globals)) {
    const bool is_copy = names.text(name).starts_with(kOne);
    if (is_copy && relate(resolve(state, value.place), device) != Relation::kDifferent)
      state.set_global(name, Value::boolean(false));
  }
}

void drop_unread_copies(State& state, const State& entry, Names& names) {
  if (!is_any(state, names)) return;
  std::set<Name> readable;
  auto keep = [&](const Value& value) {
    if (value.origin != 0) readable.insert(slot_of(value.origin, names));
  };
  std::ranges::for_each(state.slots.values(), keep);
  for (const auto& [name, value] : state.globals)
    if (!names.text(name).starts_with(kOne)) keep(value);
  for (ObjectId id = 0; id < state.object_count(); ++id)
    if (state.has(id)) for_each_value(state.object(id), keep);
  std::erase_if(state.globals, [&](const auto& global) {
    return names.text(global.first).starts_with(kOne) && !readable.count(global.first) &&
           !entry.find_global(global.first);
  });
}

void note_wait_or_read(CallContext& context) {
  Names& names = context.activation.names();
  if (!is_any(context.state, names)) return;
  if (waits(context)) return forget_copies(context.state, names);
  if (const std::optional<Place> device = device_waited_for(context))
    return forget_copies_from(context.state, resolve(context.state, *device), names);
  if (!is_reader(context.call().name)) return;
  for (size_t i = 0; i < context.count(); ++i)
    note_tensor_read(context, context.read(i), ir::last_component(context.call().name),
                     context.range(i));
}

void note_tensor_read(CallContext& context, const Value& tensor, std::string_view method,
                      const ir::Range& range) {
  Names& names = context.activation.names();
  if (!tensor.is_tensor() || !context.state.place_of(tensor).is_cpu()) return;
  const Value read = context.state.decider_of(tensor);
  const Value* copy = copy_to(read.origin, context.state, names);
  if (!copy) return;
  report(context.activation, context.state, *copy, std::string(method), context.instruction.range,
         range);
  // One read of it tells all; what is computed from it has its origin.
  context.state.set_global(slot_of(read.origin, names), Value::boolean(false));
}

void note_copy(CallContext& context, Exits& exits) {
  constexpr size_t kDirection = 3;
  if (exits.empty()) return;
  State& state = exits.front().state;
  const Value& result = exits.front().value;
  if (is_transfer_without_waiting(context)) {
    Value source = state.decider_of(context.arguments[0]);
    bool leaves = source.is_tensor() && is_on_device(source.place);
    bool arrives = result.is_tensor() && result.place.is_cpu() && result.origin != 0;
    if (leaves && arrives) begin_copy(context, state, result.origin, source.place);
    return;
  }
  if (is_copy_without_waiting(context)) {
    const Value target = state.decider_of(context.arguments[0]);
    const Value source = state.decider_of(context.arguments[1]);
    const bool leaves = source.is_tensor() && is_on_device(source.place);
    const bool is_pinned = context.activation.origin_of(target.origin).pinned == rules::Trait::kYes;
    if (leaves && is_pinned && target.is_tensor() && target.place.is_cpu())
      begin_copy(context, state, target.origin, source.place);
    return;
  }
  if (context.call().name != "cudaMemcpyAsync" || context.count() <= kDirection) return;
  CallContext after{context.activation, state, context.instruction, context.arguments};
  Value direction = after.read(kDirection);
  MemoryFact to = memory_at(after, 0);
  MemoryFact from = memory_at(after, 1);
  bool is_to_host = direction.is(ValueKind::kInt) && direction.number == kToHost;
  if (is_to_host && to.is_pinned && is_on_device(from.place))
    begin_copy(after, state, to.origin, from.place);
}

void note_host_read(Activation& activation, const State& state, const Value& accessed,
                    const ir::Range& range) {
  // Pinned memory is in the devices' reach, and its place is not said.
  if (!accessed.is_pointer() || accessed.place.is_accelerator()) return;
  if (const Value* copy = copy_to(accessed.origin, state, activation.names()))
    report(activation, state, *copy, "", range, range);
}

}  // namespace placecheck::dataflow
