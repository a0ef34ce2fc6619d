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
constexpr std::string_view kReplacedBy = "<replaced by>";       // of a module: that one
constexpr std::string_view kHasCopies = "<modules were copied>";
constexpr std::string_view kCopyOf = "<copy of>";  // of a module: that one
constexpr std::string_view kHasRun = "<has run>";  // of a module, since its optimizer was made
constexpr std::string_view kMayBeFrozen = "<may be frozen>";  // of a module

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

// Whether the parameters of a module were used since an optimizer was made for it.
bool may_be_trained(CallContext& context, ObjectId root) {
  const Name has_run = context.name(kHasRun);
  return std::ranges::any_of(modules_below(context.state, root), [&](ObjectId each) {
    const Object& module = context.state.object(each);
    return !module.complete || module.find(has_run);
  });
}

// Whether a module has run, with parameters that no optimizer updates.
bool has_run_alone(CallContext& context, ObjectId root) {
  const std::set<ObjectId> modules = modules_below(context.state, root);
  const Name is_optimized = context.name(kIsOptimized), has_run = context.name(kHasRun);
  const auto runs = [&](ObjectId each) {
    const Value* mark = context.state.object(each).find(has_run);
    return mark && mark->is(ValueKind::kBool);
  };
  return std::ranges::any_of(modules, runs) && std::ranges::none_of(modules, [&](ObjectId each) {
           return context.state.object(each).find(is_optimized);
         });
}

// The step follows a forward of a copy of `optimized` and none of that itself: the gradients are
// those of the copy.
void note_trained_copies(CallContext& context, const Value& optimized) {
  if (!context.state.find_global(context.name(kHasCopies)) ||
      !context.state.find_global(context.name(kHasGradients)) ||
      may_be_trained(context, optimized.object))
    return;
  const Name copy_of = context.name(kCopyOf);
  for (ObjectId id = 0; id < context.state.object_count(); ++id) {
    const Value* original =
        context.state.has(id) ? context.state.object(id).find(copy_of) : nullptr;
    if (!original || !original->is_object() ||
        context.state.object(id).find(context.name(kMayBeFrozen)))
      continue;
    const bool is_of_it = modules_below(context.state, original->object).contains(optimized.object);
    if (!is_of_it || !has_run_alone(context, id)) continue;
    StaleOptimizerEvent event;
    event.site = context.activation.site(context.instruction.range);
    event.optimizer = optimized.origin;
    event.replaced = original->origin;
    event.is_copied = true;
    context.activation.notify(event, context.state);
    return;
  }
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
  if (!replaces || !replaces->is(ValueKind::kBool) || object.find(context.name(kIsOptimized)) ||
      object.find(context.name(kMayBeFrozen)))
    return false;
  std::vector<std::pair<std::string, Value>> tensors;
  return object.complete &&
         registered_tensors(context.state, context.activation.names(), module, "", tensors) &&
         std::ranges::any_of(tensors, [](const auto& each) { return each.second.requires_grad; });
}

void notify_replaced(CallContext& context, const Value& optimized, ObjectId replacement) {
  StaleOptimizerEvent event;
  event.site = context.activation.site(context.instruction.range);
  event.optimizer = optimized.origin;
  event.replaced = context.state.object(replacement).find(context.name(kReplaces))->origin;
  context.activation.notify(event, context.state);
}

// Another module has taken the place of the one that the optimizer updates.
void note_successor(CallContext& context, const Value& optimized) {
  const Value* successor = context.state.object(optimized.object).find(context.name(kReplacedBy));
  const ObjectId id = successor ? context.state.object_id_of(*successor) : kNoObject;
  if (id != kNoObject && is_left_out(context, id)) notify_replaced(context, optimized, id);
}

// Of a parameter of the module a copy is trained.
void note_member_copies(CallContext& context, const Value& optimized, ObjectId module) {
  const Value* copy = context.state.object(module).find(context.name(kParameterInCopy));
  if (!copy || !context.state.find_global(context.name(kHasGradients))) return;
  StaleOptimizerEvent event;
  event.site = context.activation.site(context.instruction.range);
  event.optimizer = optimized.origin;
  event.replaced = copy->origin;
  event.is_member = true;
  context.activation.notify(event, context.state);
}

void note_stale(CallContext& context, ObjectId optimizer) {
  const Value* other = context.state.find_global(context.name(kOtherOptimizer));
  if (other && !same(*other, Value::boolean(false))) return;
  for (const Value& list : optimized_by(context, context.state.object(optimizer))) {
    if (!list.is(ValueKind::kParameters) || !context.state.has(list.object)) continue;
    note_trained_copies(context, list);
    note_successor(context, list);
    for (ObjectId module : modules_below(context.state, list.object)) {
      note_member_copies(context, list, module);
      if (is_left_out(context, module)) notify_replaced(context, list, module);
    }
  }
}

}  // namespace

void set_optimized(CallContext& context, Object& optimizer, std::span<const Value> lists) {
  size_t number = optimized_by(context, optimizer).size();
  for (Value list : lists) {
    if (!list.is(ValueKind::kParameters)) {
      context.state.set_global(context.name(kOtherOptimizer), Value::boolean(true));
      continue;
    }
    for (ObjectId id : modules_below(context.state, list.object)) {
      Object& module = context.state.edit(id);
      module.erase(context.name(kHasRun));
      module.set(context.name(kIsOptimized), Value::boolean(true));
    }
    list.origin = context.origin(OriginKind::kNamed);
    optimizer.set(context.name(std::string(kOptimized) + std::to_string(number++)), list);
  }
}

void note_frozen(CallContext& context) {
  const Name may_be_frozen = context.name(kMayBeFrozen);
  for (ObjectId id = 0; id < context.state.object_count(); ++id) {
    if (!context.state.has(id) || !context.state.object(id).is_module()) continue;
    if (!context.state.object(id).find(may_be_frozen))
      context.state.edit(id).set(may_be_frozen, Value::boolean(true));
  }
}

void note_replaced_child(CallContext& context, const Value& replaced, const Value& child) {
  const Object* before = context.state.object_of(replaced);
  const ObjectId now = context.state.object_id_of(child);
  if (!before || now == kNoObject || !before->find(context.name(kIsOptimized))) return;
  if (same(replaced, child) || !context.state.object(now).is_module()) return;
  Value is_new = Value::boolean(true);
  is_new.origin = context.origin(OriginKind::kNamed);
  context.state.edit(now).set(context.name(kReplaces), is_new);
  if (context.state.find_global(context.name(kOtherOptimizer)))
    context.state.set_global(context.name(kOtherOptimizer), Value::boolean(false));
  context.state.edit(context.state.object_id_of(replaced))
      .set(context.name(kReplacedBy), Value::object_ref(now));
}

void note_copy(CallContext& context, ObjectId original, ObjectId copy) {
  if (!context.state.has(copy) || !context.state.object(copy).is_module()) return;
  context.state.set_global(context.name(kHasCopies), Value::boolean(true));
  Value source = Value::object_ref(original);
  source.origin = context.origin(OriginKind::kNamed);
  context.state.edit(copy).set(context.name(kCopyOf), source);
}

void forget_training(Object& copy, Names& names) {
  for (const std::string_view mark : {kIsOptimized, kReplaces, kReplacedBy, kCopyOf, kHasRun})
    copy.erase(names.intern(mark));
}

void note_run(CallContext& context, ObjectId layer) {
  const Name has_run = context.name(kHasRun);
  if (context.state.find_global(context.name(kHasCopies)) &&
      !context.state.object(layer).find(has_run))
    context.state.edit(layer).set(has_run, Value::boolean(true));
}

void note_exposed(CallContext& context, ObjectId root) {
  const Name is_optimized = context.name(kIsOptimized);
  for (ObjectId id : modules_below(context.state, root)) {
    if (context.state.object(id).find(is_optimized))
      context.state.edit(id).set(context.name(kHasRun), Value::boolean(true));
  }
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
