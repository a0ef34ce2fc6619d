// The default process group of torch.distributed: whether there is one, and its backend. A program
// begins with none; what is not followed may make one.
#include <algorithm>

#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/effects.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kPackage = "torch.distributed.";
// Nothing, or a text with the backend; absent where neither is certain.
constexpr std::string_view kGroup = "<the process group>";

// Where a collective has the tensor that this process gives.
std::optional<size_t> tensor_of_collective(std::string_view name) {
  static constexpr std::pair<std::string_view, size_t> kTensors[] = {
      {"all_gather", 1}, {"all_reduce", 0}, {"broadcast", 0}, {"gather", 0},
      {"recv", 0},       {"reduce", 0},     {"send", 0}};
  const auto* row = std::ranges::find(kTensors, name, &std::pair<std::string_view, size_t>::first);
  return row == std::end(kTensors) ? std::nullopt : std::optional(row->second);
}

void note_collective(CallContext& context, std::string_view name, const Given& given) {
  const std::optional<size_t> position = tensor_of_collective(name);
  const Value* group = context.state.find_global(context.name(kGroup));
  if (!position || !group || context.text(*group) != "nccl" || given.is_tried) return;
  const std::optional<size_t> at = given.find("tensor", *position);
  if (!at || given.named("group")) return;
  const Value tensor = context.state.read(given.values[*at]);
  if (!tensor.is_tensor() || !context.state.place_of(tensor).is_cpu()) return;
  CollectiveOperandEvent event;
  event.site = context.activation.site(context.instruction.range);
  if (given.sources[*at] < context.call().arguments.size())
    event.range = context.call().arguments[given.sources[*at]].range;
  event.operation = name;
  event.origin = context.state.decider_of(tensor).origin;
  context.activation.notify(event, context.state);
}

}  // namespace

void begin_without_group(CallContext& context) {
  context.state.set_global(context.name(kGroup), Value::none());
}

bool has_no_group(CallContext& context) {
  const Value* group = context.state.find_global(context.name(kGroup));
  return group && group->is(ValueKind::kNone);
}

void doubt_group(CallContext& context) {
  if (has_no_group(context)) context.state.set_global(context.name(kGroup), Value::unknown());
}

void note_distributed(CallContext& context, const std::string& name, const Given& given) {
  if (!name.starts_with(kPackage)) return;
  const std::string_view function = last_part(name);
  if (function == "init_process_group") {
    const std::optional<size_t> backend = given.find("backend", 0);
    const std::string text = backend ? context.text(given.values[*backend]).value_or("?") : "";
    context.state.set_global(context.name(kGroup), Value::string(context.name(text)));
  } else if (function.find("init") != std::string_view::npos ||
             function == "destroy_process_group") {
    context.state.set_global(context.name(kGroup), Value::unknown());
  } else {
    note_collective(context, function, given);
  }
}

}  // namespace placecheck::dataflow
