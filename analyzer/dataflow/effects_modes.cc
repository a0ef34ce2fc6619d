// Modules in training and in evaluation.
#include <set>
#include <utility>
#include <vector>

#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/effects.h"

namespace placecheck::dataflow {
namespace {

// In Python it is an attribute, which programs set, too.
Name mode_field(CallContext& context) {
  return context.name(is_dynamic(context.activation.function()) ? "training" : "<training>");
}

bool overrides_train(CallContext& context, const Object& module) {
  return module.type && is_dynamic(context.activation.function()) &&
         find_method(context.activation, *module.type, "train").function;
}

}  // namespace

void set_mode(CallContext& context, ObjectId module) {
  State& state = context.state;
  if (!context.activation.follows_modes()) return;
  const bool trains = ir::last_component(context.call().name) == "train";
  const Value mode = trains && context.count() > 1 ? context.read(1) : Value::boolean(trains);
  const Name field = mode_field(context);
  std::set<ObjectId> done;
  std::vector<std::pair<ObjectId, Value>> work{{module, mode}};
  while (!work.empty()) {
    auto [id, given] = work.back();
    work.pop_back();
    if (!state.has(id) || !state.object(id).is_module() || !done.insert(id).second) continue;
    const Object& object = state.object(id);
    // A child's own train() is not run here, and may do anything to it and what is below.
    if (id != module && overrides_train(context, object)) given = Value::unknown();
    for (const Value& child : registered_values(object))
      work.emplace_back(state.object_id_of(child), given);
    if (id == module || object.type) state.edit(id).set(field, given);
  }
}

Value mode_of(CallContext& context, ObjectId module) {
  const Activation& activation = context.activation;
  if (activation.follows_modes() && module != kNoObject &&
      context.state.object(module).is_module()) {
    const Object& object = context.state.object(module);
    const Value* mode = object.find(mode_field(context));
    if (mode && !mode->is(ValueKind::kUnknown)) return context.state.read(*mode);
    if (!mode && object.complete && !context.state.globals_lost) return Value::boolean(true);
  }
  return context.activation.fresh_symbol(context.instruction, context.state);
}

bool is_certainly_training(CallContext& context, ObjectId module) {
  const Value mode = mode_of(context, module);
  return mode.is(ValueKind::kBool) && mode.number != 0;
}

}  // namespace placecheck::dataflow
