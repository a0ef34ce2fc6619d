// Work that is given to the current device: kernels, and the routines of libraries.
#include <algorithm>
#include <iterator>
#include <utility>

#include "analyzer/dataflow/conditions.h"
#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/memory_facts.h"
#include "analyzer/dataflow/scalars.h"

namespace placecheck::dataflow {
namespace {

using Stream = DeviceWorkEvent::Stream;

// Beginnings of the names of what runs on the device that is current, or in a stream that is.
constexpr std::string_view kRoutines[] = {
    "THCudaBlas_", "cub::Device", "cublas",    "cudaMemcpyAsync", "cudaMemset",
    "cudnn",       "cufftExec",   "curandGen", "cusolver",        "cusparse"};
// Of these, what only prepares.
constexpr std::string_view kPreparing[] = {"Create", "Destroy", "Set", "Get"};

bool is_routine(std::string_view name) {
  auto begins = [&](std::string_view part) { return name.starts_with(part); };
  auto prepares = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  return std::ranges::any_of(kRoutines, begins) && std::ranges::none_of(kPreparing, prepares);
}

Stream stream_at(CallContext& context, size_t i) {
  if (i >= context.count()) return Stream::kDefault;
  Value stream = context.read(i);
  bool is_default = stream.is(ValueKind::kNone) || (stream.is(ValueKind::kInt) && !stream.number);
  return is_default ? Stream::kDefault : Stream::kGiven;
}

// Copies and the like that take a stream, and which argument it is.
constexpr std::pair<std::string_view, size_t> kStreams[] = {{"cudaMemcpy2DAsync", 7},
                                                            {"cudaMemcpyAsync", 4},
                                                            {"cudaMemcpyPeerAsync", 5},
                                                            {"cudaMemset2DAsync", 5},
                                                            {"cudaMemsetAsync", 3}};

Stream stream_of_routine(CallContext& context) {
  const std::string& name = context.call().name;
  if (name.starts_with("cub::")) return stream_at(context, context.named("stream"));
  const auto* row = std::ranges::find(kStreams, name, &std::pair<std::string_view, size_t>::first);
  if (row != std::end(kStreams)) return stream_at(context, row->second);
  return name.starts_with("cublas") && has_no_stream(context) ? Stream::kDefault : Stream::kNone;
}

void notify_work(CallContext& context, DeviceWorkEvent event) {
  const ThreadState& thread = context.state.thread;
  event.site = context.activation.site(context.instruction.range);
  event.operation = context.call().name;
  event.current = current_device(context.activation, context.state);
  event.is_callers = thread.is_as_caller_left_it();
  event.selected_at = thread.selected_at;
  event.released_at = thread.released_at;
  context.activation.notify(event, context.state);
}

// What a kernel is given is on a GPU.
void assume_on_device(CallContext& context, const std::vector<MemoryFact>& operands) {
  for (const MemoryFact& each : operands) {
    if (each.place.kind == PlaceKind::kAlike)
      context.state.assume(context.activation.names().term(kIsCuda, {each.place.symbol}), true);
  }
}

}  // namespace

void give_kernel(CallContext& context, std::vector<MemoryFact> operands, size_t stream) {
  assume_on_device(context, operands);
  DeviceWorkEvent event;
  event.is_kernel = true;
  event.operands = std::move(operands);
  event.stream = stream_at(context, stream);
  notify_work(context, std::move(event));
}

// CUB's routines only say how much memory they need where they are given none.
bool asks_for_size(CallContext& context) {
  return context.call().name.starts_with("cub::") && context.count() > 0 &&
         context.read(0).is(ValueKind::kNone);
}

void note_routine(CallContext& context) {
  if (!is_routine(context.call().name) || asks_for_size(context)) return;
  DeviceWorkEvent event;
  event.stream = stream_of_routine(context);
  for (size_t i = 0; i < context.count(); ++i) {
    if (context.read(i).is_pointer()) event.operands.push_back(memory_at(context, i));
  }
  if (!event.operands.empty()) notify_work(context, std::move(event));
}

}  // namespace placecheck::dataflow
