// Calling modules: what goes in meets their state, and what comes out is where both are.
#include <algorithm>
#include <optional>

#include "analyzer/dataflow/dispatch.h"
#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/optimizers.h"
#include "analyzer/dataflow/packed_sequences.h"
#include "analyzer/models/libraries/modules.h"
#include "llvm/ADT/StringExtras.h"

namespace placecheck::dataflow {
namespace {

using models::Forward;
using models::ModuleModel;

constexpr size_t kMaxExits = 4;

constexpr ModuleModel kScript{"jit", Forward::kScript, true, false};

Value tuple_of(CallContext& context, std::vector<Value> elements, uint32_t ordinal) {
  Object tuple;
  tuple.kind = ObjectKind::kTuple;
  tuple.elements = std::move(elements);
  return context.make(std::move(tuple), ordinal);
}

Value shaped_result(CallContext& context, const ModuleModel& model, const Value& tensor) {
  bool is_lstm = std::string_view(model.name) == "LSTM";
  switch (model.forward) {
    case Forward::kRecurrent: {
      if (model.name == "LSTMCell") return tuple_of(context, {tensor, tensor}, 950);
      Value states = is_lstm ? tuple_of(context, {tensor, tensor}, 951) : tensor;
      return tuple_of(context, {tensor, states}, 950);
    }
    case Forward::kAttention:
      return tuple_of(context, {tensor, tensor}, 950);
    default:
      return tensor;
  }
}

// A module of unknown place that was used with a value of known place is there too, or that use had
// failed. What stands for many modules at once is none of them.
void settle_state(CallContext& context, ObjectId module, const std::vector<Operand>& operands) {
  const Object& object = context.state.object(module);
  const Registered* state = object.find_registered(context.name(kModuleState));
  if (!state || state->value.place.kind != PlaceKind::kCell) return;
  if (context.state.place_of(state->value).kind != PlaceKind::kAlike) return;
  if (context.activation.names().text(object.symbol).find("[]") != std::string::npos) return;
  const Operand* partner = nullptr;
  for (const Operand& operand : operands) {
    if (operand.is_module_state) continue;
    if (!operand.place.is_known() || operand.rank == Rank::kScalar) return;
    if (partner && !(partner->place == operand.place)) return;
    partner = &operand;
  }
  if (!partner) return;
  Value& tensor = context.state.edit(state->value.place.symbol).elements[0];
  tensor.place = partner->place;
  tensor.input = partner->decider.input;
  tensor.origin = context.origin(OriginKind::kMet);
}

// The tensor that the program has put in the place of a library module's weight: forward() uses it,
// whereas to() and parameters() go by the registered one. nullopt where it has put none.
std::optional<Value> assigned_weight(CallContext& context, ObjectId module) {
  if (is_dynamic(context.activation.function())) return std::nullopt;
  const Object& object = context.state.object(module);
  const Value* weight = object.find(context.name(kModuleState));
  const Registered* registered = object.find_registered(context.name(kModuleState));
  const bool is_assigned =
      weight && weight->is_tensor() && registered && !(weight->place == registered->value.place);
  return is_assigned ? std::optional(*weight) : std::nullopt;
}

Value run_library_module(CallContext& context, const ModuleModel& model, ObjectId module,
                         std::string_view method = "forward") {
  std::vector<Operand> operands;
  const std::optional<Value> assigned = assigned_weight(context, module);
  bool has_own_state =
      context.state.object(module).find_registered(context.name(kModuleState)) != nullptr;
  if (model.has_state || has_own_state) {
    Value cell = assigned.value_or(state_of(context, module));
    Operand state;
    state.decider = context.state.decider_of(cell);
    state.place = context.state.place_of(cell);
    state.rank = Rank::kNonScalar;
    state.range = context.range(0);
    state.role = kModuleState;
    state.is_module_state = true;
    state.module = module;
    state.origin = state.decider.origin;
    operands.push_back(state);
  }
  const size_t end = model.forward == Forward::kSequenceLoss ? 2 : context.count();
  for (size_t i = 1; i < std::min(end, context.count()); ++i) add_operands(context, i, operands);
  if (model.has_state && !assigned) settle_state(context, module, operands);
  if (model.has_state) note_run(context, module);
  // What a layer is given has dimensions, or the layer fails anyway; of a script nothing is known.
  bool is_exact = model.forward == Forward::kClassLoss ||
                  (model.has_state && model.forward != Forward::kScript);
  models::DeviceRule rule =
      is_exact ? models::DeviceRule::kExactSame : models::DeviceRule::kComposite;
  std::string name = "torch::nn::" + std::string(model.name) + "::" + std::string(method);
  Rank rank = models::is_loss(model.forward) ? Rank::kScalar : layer_rank(model.name, operands);
  Value tensor = combine(context, name, rule, std::move(operands), rank);
  return shaped_result(context, model, tensor);
}

Exits apply_child(CallContext& context, State& state, const Value& child,
                  const std::vector<Value>& inputs) {
  std::vector<Value> arguments{child};
  arguments.insert(arguments.end(), inputs.begin(), inputs.end());
  CallContext step{context.activation, state, context.instruction, arguments};
  return apply_module(step);
}

// The child is one of several: each is run on the same input.
void run_alternatives(CallContext& context, const std::vector<Value>& children,
                      const std::vector<Value>& inputs, Exit& exit) {
  std::optional<Value> result;
  for (const Value& child : children) {
    Exits ends = apply_child(context, exit.state, child, inputs);
    if (ends.empty()) continue;
    exit.state = std::move(ends[0].state);
    result = result ? join(*result, ends[0].value, context.name("either")) : ends[0].value;
  }
  exit.value = result.value_or(Value::unknown());
}

// The children in turn, each on what the one before it returned.
Exits run_sequential(CallContext& context, ObjectId module) {
  std::vector<Registered> children = context.state.object(module).registered;
  std::vector<Value> given(context.arguments.begin() + 1, context.arguments.end());
  Exits exits;
  bool complete = context.state.object(module).complete;
  exits.push_back({context.state, complete && !given.empty() ? given[0] : Value::unknown()});
  for (const Registered& child : children) {
    bool is_first = &child == &children[0];
    Exits next;
    for (Exit& exit : exits) {
      std::vector<Value> inputs = is_first ? given : std::vector<Value>{exit.value};
      if (!child.either.empty()) {
        run_alternatives(context, child.either, inputs, exit);
        next.push_back(std::move(exit));
        continue;
      }
      for (Exit& result : apply_child(context, exit.state, child.value, inputs)) {
        if (next.size() < kMaxExits) next.push_back(std::move(result));
      }
    }
    exits = std::move(next);
  }
  return exits;
}

// Anything callable whose inputs and state must meet: a scripted module, or a library's network.
// What the program has put in the place of a part of that is run as well.
Exits run_program(CallContext& context, ObjectId module) {
  const std::vector<Registered> parts = context.state.object(module).registered;
  // A wrapped part moves what it is given to its devices.
  const bool scatters = std::ranges::any_of(parts, [&](const Registered& part) {
    const Object* child = context.state.object_of(part.value);
    return child && child->type_name == context.name(kDataParallel);
  });
  if (scatters) return single_exit(context, Value::unknown());
  const Value result = run_library_module(context, kScript, module);
  int64_t number = 0;
  for (const Registered& part : parts) {
    const std::string& name = context.activation.names().text(part.name);
    const bool is_layer = llvm::to_integer(name, number);
    const bool is_part = part.kind == RegisteredKind::kModule && part.either.empty() &&
                         (is_layer || names_part_of_network(name));
    if (!is_part || !result.is_tensor()) continue;
    Exits exits = apply_child(context, context.state, part.value, {result});
    if (exits.size() == 1) context.state = std::move(exits.front().state);
  }
  return single_exit(context, result);
}

// `torch::nn::LinearImpl::forward(x)`, by which an override calls what it overrides.
const ModuleModel* named_layer(const ir::Call& call) {
  size_t end = call.name.rfind("::");
  bool is_named = call.kind == ir::CallKind::kDirect && end != std::string::npos;
  return is_named ? models::find_module_model(call.name.substr(0, end)) : nullptr;
}

}  // namespace

// A recurrent layer on packed sequences: it runs on their tensor, and the output is packed as well.
static std::optional<Value> run_on_packed(CallContext& context, const ModuleModel& model,
                                          ObjectId module) {
  const std::optional<Value> tensor =
      context.count() > 1 ? packed_tensor(context, context.arguments[1]) : std::nullopt;
  if (!tensor || model.forward != Forward::kRecurrent) return std::nullopt;
  std::vector<Value> arguments = context.arguments;
  arguments[1] = *tensor;
  CallContext step{context.activation, context.state, context.instruction, arguments};
  const Value result = run_library_module(step, model, module, "forward_with_packed_input");
  const ObjectId outputs = context.state.object_id_of(result);
  if (outputs == kNoObject) return result;
  const Value packed =
      make_packed(context, context.state.object(outputs).elements.front(), /*ordinal=*/1);
  context.state.edit(outputs).elements.front() = packed;
  return result;
}

// Without the hooks of the module.
static Exits run_module(CallContext& context, const ModuleModel* named) {
  Activation& activation = context.activation;
  ObjectId module = context.state.object_id_of(context.arguments[0]);
  Value unknown = Value::unknown();
  if (module == kNoObject) return single_exit(context, unknown);
  const Object& object = context.state.object(module);
  if (object.kind == ObjectKind::kClosure && object.function) {
    std::vector<Value> arguments = object.elements;
    arguments.insert(arguments.end(), context.arguments.begin() + 1, context.arguments.end());
    return activation.invoke(*object.function, arguments, context.state, context.instruction);
  }
  if (object.type && !named) {
    const ir::Function* forward = forward_of(context, *object.type);
    if (forward)
      return activation.invoke(*forward, context.arguments, context.state, context.instruction);
  }
  if (object.type_name == context.name(kDataParallel)) {
    Value output = unknown;
    parallel_effect(context, models::Effect::kDataParallelForward, output);
    return single_exit(context, output);
  }
  if (is_network(context, module)) return run_program(context, module);
  const ModuleModel* model = named ? named : model_of(activation, object);
  bool derives_sequential =
      object.type && activation.program().derives_from(*object.type, "torch::nn::SequentialImpl");
  if (derives_sequential || (model && model->forward == Forward::kSequential))
    return run_sequential(context, module);
  if (!model) return single_exit(context, unknown);
  if (const std::optional<Value> result = run_on_packed(context, *model, module))
    return single_exit(context, *result);
  Value result = run_library_module(context, *model, module);
  return single_exit(context, result);
}

Exits apply_module(CallContext& context) {
  const ModuleModel* named = named_layer(context.call());
  if (named || context.count() == 0) return run_module(context, named);
  const std::vector<ForwardHook> hooks = forward_hooks_of(context, context.arguments[0]);
  const std::vector<Value> inputs(context.arguments.begin() + 1, context.arguments.end());
  return run_forward_hooks(context, hooks, inputs, run_module(context, named));
}

}  // namespace placecheck::dataflow
