#include "analyzer/dataflow/optimizers.h"

#include <algorithm>

#include "analyzer/dataflow/effects.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kUpdated = "<parameters>";
constexpr std::string_view kFlattened = "<parameters in one tensor>";
constexpr std::string_view kState = "<state>";
constexpr std::string_view kOptimized = "<optimized>";          // of an optimizer: numbered
constexpr std::string_view kIsOptimized = "<is optimized>";     // of a module
constexpr std::string_view kReplaces = "<replaces optimized>";  // of a module

// Where the parameters are on which it works; nothing where that is not known.
std::optional<Value> updated_parameters(CallContext& context, const Object& optimizer) {
  const Value* parameters = optimizer.find(context.name(kUpdated));
  if (!parameters || !parameters->is(ValueKind::kParameters)) return std::nullopt;
  if (!context.state.has(parameters->object)) return std::nullopt;
  Value of_module = parameter_of(context.activation, context.state, parameters->object);
  if (!context.state.place_of(of_module).is_known()) return std::nullopt;
  return of_module;
}

void note_non_leaves_in(CallContext& context, const Value& parameters, const ir::Range& range,
                        int depth) {
  const Value given = context.state.read(parameters);
  if (given.is_non_leaf()) {
    NonLeafEvent event;
    event.site = context.activation.site(context.instruction.range);
    event.operand = range;
    event.moved = given.origin;
    context.activation.notify(event, context.state);
  }
  const Object* list = context.state.object_of(given);
  if (!list || !is_list(*list) || list->open || depth == 0) return;
  const std::vector<Value> elements = list->elements;
  for (const Value& each : elements) note_non_leaves_in(context, each, range, depth - 1);
}

// The lists of parameters that an optimizer was made with.
std::vector<Value> optimized_by(CallContext& context, const Object& optimizer) {
  std::vector<Value> lists;
  while (const Value* list =
             optimizer.find(context.name(std::string(kOptimized) + std::to_string(lists.size()))))
    lists.push_back(*list);
  return lists;
}

// Whether a module of the program's own, with parameters to be trained, has taken the place of one
// that an optimizer updates, and no optimizer was made for it since.
bool is_left_out(CallContext& context, ObjectId module) {
  const Object& object = context.state.object(module);
  const Value* replaces = object.find(context.name(kReplaces));
  if (!replaces || !replaces->is(ValueKind::kBool) || object.find(context.name(kIsOptimized)))
    return false;
  std::vector<std::pair<std::string, Value>> tensors;
  return object.complete &&
         registered_tensors(context.state, context.activation.names(), module, "", tensors) &&
         std::ranges::any_of(tensors, [](const auto& each) { return each.second.requires_grad; });
}

void note_stale(CallContext& context, ObjectId optimizer) {
  if (context.state.find_global(context.name(kOtherOptimizer))) return;
  const Value* has_frozen = context.state.find_global(context.name(kHasFrozen));
  if (has_frozen && !same(*has_frozen, Value::boolean(false))) return;
  for (const Value& list : optimized_by(context, context.state.object(optimizer))) {
    if (!list.is(ValueKind::kParameters) || !context.state.has(list.object)) continue;
    for (ObjectId module : modules_below(context.state, list.object)) {
      if (!is_left_out(context, module)) continue;
      StaleOptimizerEvent event;
      event.site = context.activation.site(context.instruction.range);
      event.optimizer = list.origin;
      event.replaced = context.state.object(module).find(context.name(kReplaces))->origin;
      context.activation.notify(event, context.state);
    }
  }
}

}  // namespace

void set_optimized(CallContext& context, Object& optimizer, std::span<const Value> lists) {
  size_t number = optimized_by(context, optimizer).size();
  if (context.state.find_global(context.name(kHasFrozen)))
    context.state.set_global(context.name(kHasFrozen), Value::boolean(false));
  for (Value list : lists) {
    if (!list.is(ValueKind::kParameters)) {
      context.state.set_global(context.name(kOtherOptimizer), Value::boolean(true));
      continue;
    }
    for (ObjectId module : modules_below(context.state, list.object))
      context.state.edit(module).set(context.name(kIsOptimized), Value::boolean(true));
    list.origin = context.origin(OriginKind::kNamed);
    optimizer.set(context.name(std::string(kOptimized) + std::to_string(number++)), list);
  }
}

void note_frozen(CallContext& context) {
  context.state.set_global(context.name(kHasFrozen), Value::boolean(true));
}

void note_replaced_child(CallContext& context, const Value& replaced, const Value& child) {
  const Object* before = context.state.object_of(replaced);
  const ObjectId now = context.state.object_id_of(child);
  if (!before || now == kNoObject || !before->find(context.name(kIsOptimized))) return;
  if (same(replaced, child) || !context.state.object(now).is_module()) return;
  Value is_new = Value::boolean(true);
  is_new.origin = context.origin(OriginKind::kNamed);
  context.state.edit(now).set(context.name(kReplaces), is_new);
}

void note_non_leaves(CallContext& context, const Value& parameters, const ir::Range& range) {
  constexpr int kListOfGroups = 3;
  note_non_leaves_in(context, parameters, range, kListOfGroups);
}

bool always_keeps_state(std::string_view class_name) {
  static constexpr std::string_view kKeeping[] = {
      "Adadelta", "Adagrad", "Adam", "AdamW", "Adamax", "NAdam", "RAdam", "RMSprop", "Rprop"};
  return std::ranges::find(kKeeping, class_name) != std::end(kKeeping);
}

bool flattens_gradients(std::string_view class_name) { return class_name == "LBFGS"; }

void set_flattened(CallContext& context, Object& optimizer, const Value& parameters) {
  optimizer.set(context.name(kFlattened), parameters);
}

void set_updated(CallContext& context, Object& optimizer, const Value& parameters) {
  optimizer.set(context.name(kUpdated), parameters);
}

bool has_updated(CallContext& context, ObjectId optimizer) {
  const Object& object = context.state.object(optimizer);
  return object.kind == ObjectKind::kLibrary && object.find(context.name(kUpdated));
}

void settle_state(CallContext& context, ObjectId optimizer) {
  std::optional<Value> parameters = updated_parameters(context, context.state.object(optimizer));
  Value state = Value::unknown();
  if (parameters) {
    state = Value::tensor(context.state.place_of(*parameters), Rank::kNonScalar);
    state.origin = context.origin(OriginKind::kCreated);
  }
  context.state.edit(optimizer).set(context.name(kState), state);
}

std::optional<Place> place_of_state(CallContext& context, ObjectId optimizer) {
  const Value* state = context.state.object(optimizer).find(context.name(kState));
  return state && state->is_tensor() ? std::optional(state->place) : std::nullopt;
}

void load_state(CallContext& context, ObjectId optimizer, const Value& device) {
  Value state = Value::tensor(device.place, Rank::kNonScalar);
  state.origin = device.origin;
  context.state.edit(optimizer).set(context.name(kState), state);
}

void forget_state(CallContext& context, ObjectId optimizer) {
  if (has_updated(context, optimizer))
    context.state.edit(optimizer).set(context.name(kState), Value::unknown());
}

void note_backward(CallContext& context) {
  context.state.set_global(context.name(kHasGradients), Value::boolean(true));
}

void note_step(CallContext& context, ObjectId id) {
  note_stale(context, id);
  if (const Value* flattened = context.state.object(id).find(context.name(kFlattened)))
    combine_gradients(context, context.state.read(*flattened), "cat", Rank::kNonScalar);
  if (!has_updated(context, id)) return;
  const Value* kept = context.state.object(id).find(context.name(kState));
  if (!kept) {
    if (context.state.find_global(context.name(kHasGradients))) settle_state(context, id);
    return;
  }
  const Value state = *kept;
  std::optional<Value> parameters = updated_parameters(context, context.state.object(id));
  if (!state.is_tensor() || !parameters) return;
  OptimizerStepEvent event;
  event.site = context.activation.site(context.instruction.range);
  event.receiver = context.range(0);
  event.state = resolve(context.state, state.place);
  event.state_origin = state.origin;
  event.parameters = resolve(context.state, context.state.place_of(*parameters));
  event.parameters_origin = parameters->origin;
  context.activation.notify(event, context.state);
}

}  // namespace placecheck::dataflow
