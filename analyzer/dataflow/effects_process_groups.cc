// c10d::ProcessGroupNCCL: one rank of several processes, each of which works on a device of its
// own.
#include <algorithm>

#include "analyzer/dataflow/effects.h"

namespace placecheck::dataflow {
namespace {

using models::Effect;

constexpr std::string_view kGroup = "c10d::ProcessGroupNCCL";
constexpr std::string_view kRanks = "ranks";  // the field: how many there are

// make_intrusive<ProcessGroupNCCL>(store, rank, size, ...)
std::optional<Value> made_group(CallContext& context) {
  const ir::Type& type = context.call().type;
  const bool is_group = type.arguments.size() == 1 && type.arguments[0].name == kGroup;
  if (!is_group || context.count() < 3) return std::nullopt;
  Object group = context.library_object(kGroup);
  group.set(context.name(kRanks), context.read(2));
  return context.make(std::move(group));
}

bool has_several_ranks(CallContext& context) {
  const Object* group = context.state.object_of(context.arguments[0]);
  const Value* ranks = group ? group->find(context.name(kRanks)) : nullptr;
  return ranks &&
         (ranks->is(ValueKind::kSymbol) || (ranks->is(ValueKind::kInt) && ranks->number > 1));
}

// (group, tensors, ...): each rank gives tensors of one device, which no rank has chosen.
void note_rank_device(CallContext& context) {
  const ThreadState& thread = context.state.thread;
  const bool is_listed = context.state.setup.list != DeviceSetup::List::kNotSet;
  if (context.count() < 2 || !has_several_ranks(context) || thread.device_is_callers || is_listed)
    return;
  std::vector<Operand> tensors;
  add_operands(context, 1, tensors);
  if (tensors.empty() || !tensors[0].place.is_known()) return;
  RankDeviceEvent event;
  event.site = context.activation.site(context.instruction.range);
  event.operation = std::string(ir::last_component(context.call().name)) + "()";
  event.range = context.range(1);
  event.place = resolve(context.state, tensors[0].place);
  event.origin = tensors[0].origin;
  context.activation.notify(event, context.state);
}

}  // namespace

bool process_group_effect(CallContext& context, Effect effect, Value& result) {
  if (effect == Effect::kMakeIntrusive) {
    const std::optional<Value> group = made_group(context);
    if (group) result = *group;
    return group.has_value();
  }
  if (effect != Effect::kGroupCollective) return false;
  note_rank_device(context);
  result = Value::unknown();
  return true;
}

}  // namespace placecheck::dataflow
