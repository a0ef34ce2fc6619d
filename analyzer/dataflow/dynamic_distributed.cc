// The default process group of torch.distributed: whether there is one, and its backend. A program
// begins with none; what is not followed may make one.
#include <algorithm>
#include <iterator>

#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/ranks.h"
#include "analyzer/dataflow/scalars.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kPackage = "torch.distributed.";
// Nothing, or a text with the backend; absent where neither is certain.
constexpr std::string_view kGroup = "<the process group>";
constexpr std::string_view kIsInitialized = "torch.distributed.is_initialized()";
constexpr std::string_view kNccl = "nccl";

struct CollectiveFunction {
  static constexpr size_t kNone = ~size_t{0};
  std::string_view name;
  size_t tensor = kNone;  // which argument is the tensor that this process gives, or gets
  size_t group = 0;       // which is the group
  bool is_pairwise = false;
  // The other operand, a tensor or a list of tensors: which argument it is, and its name.
  size_t others = kNone;
  std::string_view others_name = {};
};

// Sorted by name.
constexpr CollectiveFunction kCollectives[] = {
    {"all_gather", 1, 2, false, 0, "tensor_list"},
    {"all_gather_into_tensor", 1, 2, false, 0, "output_tensor"},
    {"all_gather_object", CollectiveFunction::kNone, 2},
    {"all_reduce", 0, 2},
    {"all_to_all", CollectiveFunction::kNone, 2, false, 1, "input_tensor_list"},
    {"all_to_all_single", 1, 4, false, 0, "output"},
    {"barrier", CollectiveFunction::kNone, 0},
    {"broadcast", 0, 2},
    {"broadcast_object_list", CollectiveFunction::kNone, 2},
    {"gather", 0, 3, false, 1, "gather_list"},
    {"gather_object", CollectiveFunction::kNone, 3},
    {"monitored_barrier", CollectiveFunction::kNone, 0},
    {"recv", 0, 2, true},
    {"reduce", 0, 3},
    {"reduce_scatter", 0, 3, false, 1, "input_list"},
    {"reduce_scatter_tensor", 1, 3, false, 0, "output"},
    {"scatter", 0, 3, false, 1, "scatter_list"},
    {"scatter_object_list", CollectiveFunction::kNone, 3},
    {"send", 0, 2, true},
};
static_assert(std::ranges::is_sorted(kCollectives, {}, &CollectiveFunction::name),
              "look-up is by binary search");

const CollectiveFunction* find_function(std::string_view name) {
  const auto* row = std::ranges::lower_bound(kCollectives, name, {}, &CollectiveFunction::name);
  return row != std::end(kCollectives) && row->name == name ? row : nullptr;
}

bool is_of_all_ranks(CallContext& context, const CollectiveFunction& function, const Given& given) {
  if (function.is_pairwise || given.is_open) return false;
  const std::optional<size_t> group = given.find("group", function.group);
  return !group || context.state.read(given.values[*group]).is(ValueKind::kNone);
}

std::optional<std::string> backend(CallContext& context) {
  const Value* group = context.state.find_global(context.name(kGroup));
  return group ? context.text(*group) : std::nullopt;
}

// Notifies of a tensor on the CPU, which NCCL does not take; returns whether it is one.
bool note_host_operand(CallContext& context, const CollectiveFunction& function,
                       const ir::Range& range, const Value& tensor) {
  if (!tensor.is_tensor() || !context.state.place_of(tensor).is_cpu() || backend(context) != kNccl)
    return false;
  const Site site = context.activation.site(context.instruction.range);
  context.activation.notify(CollectiveOperandEvent{site, range, std::string(function.name),
                                                   context.state.decider_of(tensor).origin},
                            context.state);
  return true;
}

// One of the tensors of a list; a tensor itself.
Value tensor_within(CallContext& context, const Value& value) {
  const Value direct = context.state.read(value);
  const Object* list = context.state.object_of(direct);
  if (!list || !is_list(*list)) return direct;
  if (!list->elements.empty()) return context.state.read(list->elements[0]);
  return context.state.read(list->rest);
}

void note_operands(CallContext& context, const CollectiveFunction& function, const Given& given) {
  if (given.is_tried || given.named("group")) return;
  const auto operand = [&](std::string_view name, size_t position) {
    return position == CollectiveFunction::kNone ? std::nullopt : given.find(name, position);
  };
  const auto range_of = [&](size_t at) { return context.range(given.sources[at]); };
  const std::optional<size_t> others = operand(function.others_name, function.others);
  if (others && note_host_operand(context, function, range_of(*others),
                                  tensor_within(context, given.values[*others])))
    return;
  const std::optional<size_t> at = operand("tensor", function.tensor);
  if (!at) return;
  const Value tensor = context.state.read(given.values[*at]);
  if (!tensor.is_tensor() || note_host_operand(context, function, range_of(*at), tensor)) return;
  if (function.is_pairwise) return;
  const Site site = context.activation.site(context.instruction.range);
  note_rank_device(context,
                   {site, range_of(*at), std::string(function.name) + "()", kNoObject, false,
                    context.state.place_of(tensor), context.state.decider_of(tensor).origin});
}

void note_collective(CallContext& context, const CollectiveFunction& function, const Given& given) {
  if (is_of_all_ranks(context, function, given)) {
    const Site site = context.activation.site(context.instruction.range);
    context.activation.notify(
        CollectiveCallEvent{site, std::string(function.name), context.activation.function().name},
        context.state);
  }
  note_operands(context, function, given);
}

// A group of one process, or of processes of which the program numbers each, is nothing that a
// launcher starts several times.
bool makes_several_ranks(CallContext& context, const Given& given) {
  const std::optional<size_t> size = given.find("world_size", 3), rank = given.find("rank", 4);
  auto is_number = [&](std::optional<size_t> i) {
    return i && context.state.read(given.values[*i]).is(ValueKind::kInt);
  };
  const bool is_alone =
      size && is_number(size) && context.state.read(given.values[*size]).number == 1;
  return !is_alone && !is_number(rank) && !given.is_open;
}

// From here on `is_initialized()` may answer otherwise than it has.
void forget_answers(CallContext& context) {
  const Name condition = context.name(kIsInitialized);
  if (!context.state.assumed(condition)) return;
  context.state.forget(condition, context.activation.names());
  context.state.lose(condition);
}

void change_group(CallContext& context, Value group) {
  forget_answers(context);
  context.state.set_global(context.name(kGroup), std::move(group));
}

void make_group(CallContext& context, const Given& given) {
  const std::optional<size_t> named = given.find("backend", 0);
  const std::string text = named ? context.text(given.values[*named]).value_or("?") : "";
  change_group(context, Value::string(context.name(text)));
  context.state.set_global(context.name(kSeveralRanks),
                           Value::boolean(makes_several_ranks(context, given)));
}

}  // namespace

void begin_without_group(CallContext& context) {
  context.state.set_global(context.name(kGroup), Value::none());
}

bool has_no_group(CallContext& context) {
  const Value* group = context.state.find_global(context.name(kGroup));
  return group && group->is(ValueKind::kNone);
}

bool has_nccl_group(CallContext& context) { return backend(context) == kNccl; }

Value process_group(CallContext& context) {
  const Value* group = context.state.find_global(context.name(kGroup));
  return group ? *group : Value::unknown();
}

void set_process_group(CallContext& context, const Value& group) { change_group(context, group); }

void doubt_group(CallContext& context) {
  if (has_no_group(context)) return change_group(context, Value::unknown());
  forget_answers(context);
}

void note_rank_device(CallContext& context, const RankDeviceEvent& event) {
  const bool is_several = has_several_ranks(context.state, context.activation.names());
  // A launcher, or the program itself, may have left one device to each process.
  const bool is_listed = context.state.setup.list != DeviceSetup::List::kNotSet;
  if (is_several && !is_listed && backend(context) == kNccl &&
      !context.state.thread.device_is_callers)
    context.activation.notify(event, context.state);
}

void note_distributed(CallContext& context, const std::string& name, const Given& given) {
  if (!name.starts_with(kPackage)) return;
  const std::string_view function = last_part(name);
  if (function == "init_process_group") {
    make_group(context, given);
  } else if (function.find("init") != std::string_view::npos ||
             function == "destroy_process_group") {
    change_group(context, Value::unknown());
  } else if (const CollectiveFunction* collective = find_function(function)) {
    note_collective(context, *collective, given);
  }
}

std::optional<Value> distributed_query(CallContext& context, const std::string& name,
                                       const Given& given) {
  if (name == "torch.distributed.is_available") return Value::boolean(true);
  if (name == "torch.distributed.is_initialized") {
    const Value* group = context.state.find_global(context.name(kGroup));
    const bool is_known = group && !group->is(ValueKind::kUnknown);
    return is_known ? std::optional(Value::boolean(!group->is(ValueKind::kNone))) : std::nullopt;
  }
  if (name == "torch.distributed.get_backend" && given.size() == 0) {
    const std::optional<std::string> known = backend(context);
    return known ? std::optional(Value::string(context.name(*known))) : lost_scalar(context);
  }
  const bool asks = name == "torch.distributed.get_rank" && given.size() == 0 && !given.is_open;
  return asks ? std::optional(Value::symbol(context.name(kRankOfProcess))) : std::nullopt;
}

}  // namespace placecheck::dataflow
