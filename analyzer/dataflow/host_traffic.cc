#include "analyzer/dataflow/host_traffic.h"

#include <algorithm>
#include <string>

namespace placecheck::dataflow {
namespace {

// Methods of a tensor, and operators that take one, that give its values to the host.
constexpr std::string_view kReading[] = {"cpu", "is_nonzero", "item", "operator<<", "print"};

bool is_of_torch(std::string_view name) {
  return name.starts_with("at::") || name.starts_with("torch::") || name.starts_with("c10::") ||
         name == "operator<<";
}

// `to(place, [dtype,] non_blocking, ...)`, `cuda(non_blocking)`: the first truth among the
// arguments.
bool asks_not_to_wait(CallContext& context) {
  for (size_t i = 1; i < context.count(); ++i) {
    const Value flag = context.read(i);
    if (flag.is(ValueKind::kBool)) return flag.number != 0;
  }
  return false;
}

}  // namespace

void note_upload(CallContext& context, const Value& source, bool is_asynchronous) {
  UploadEvent event;
  event.site = context.activation.site(context.instruction.range);
  event.range = context.range(0);
  event.is_asynchronous = is_asynchronous;
  event.origin = source.origin;
  context.activation.notify(event, context.state);
}

void note_host_wait(CallContext& context, const Value& tensor, const ir::Range& range,
                    std::string_view operation) {
  if (!tensor.is_tensor()) return;
  const Place place = context.state.place_of(tensor);
  if (!place.is_accelerator()) return;
  HostWaitEvent event;
  event.site = context.activation.site(context.instruction.range);
  event.range = range;
  event.operation = operation;
  event.place = place;
  context.activation.notify(event, context.state);
}

void note_host_traffic(CallContext& context, Exits& exits) {
  const std::string& name = context.call().name;
  if (!is_of_torch(name) || context.count() == 0 || exits.empty()) return;
  const std::string_view method = ir::last_component(name);
  CallContext after{context.activation, exits.front().state, context.instruction,
                    context.arguments};
  if (std::ranges::find(kReading, method) != std::end(kReading)) {
    for (size_t i = 0; i < after.count(); ++i)
      note_host_wait(after, after.read(i), after.range(i), method);
  }
  if (method != "to" && method != "cuda") return;
  const Value source = after.state.decider_of(after.read(0));
  const Value& result = exits.front().value;
  if (!source.is_tensor() || !result.is_tensor()) return;
  const bool waits_not = asks_not_to_wait(after);
  if (source.place.is_cpu() && result.place.is_accelerator()) note_upload(after, source, waits_not);
  if (result.place.is_cpu() && !waits_not) note_host_wait(after, source, after.range(0), method);
}

}  // namespace placecheck::dataflow
