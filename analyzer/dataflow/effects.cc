#include "analyzer/dataflow/effects.h"

#include <algorithm>
#include <numeric>

#include "analyzer/dataflow/async_copies.h"
#include "analyzer/dataflow/autograd_functions.h"
#include "analyzer/dataflow/dispatch.h"
#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/host_traffic.h"
#include "analyzer/dataflow/optimizers.h"
#include "analyzer/dataflow/scalars.h"
#include "analyzer/models/libraries/modules.h"
#include "analyzer/models/libraries/untyped.h"

namespace placecheck::dataflow {
namespace {

Exits construct_project_class(CallContext& context, const ir::Class& type) {
  Activation& activation = context.activation;
  Value self = context.make(context.project_object(type));
  if (type.is_module) add_library_state(context, self.object);
  const ir::Function* constructor = constructor_of(context, type);
  bool has_constructors = false;
  for (const ir::Method& method : type.methods) {
    bool fits = context.count() >= method.required && context.count() <= method.arity;
    has_constructors |= method.is_constructor && fits;
  }
  if (!constructor && has_constructors) {
    // What it does is not known.
    Object& made = context.state.edit(self.object);
    made.complete = false;
    made.symbol = activation.fresh_symbol(context.instruction, context.state).name;
    return single_exit(context, self);
  }
  if (!constructor) {
    Object& made = context.state.edit(self.object);
    for (size_t i = 0; i < context.count(); ++i) {
      bool named = !context.call().arguments[i].name.empty();
      if (!named && i >= type.fields.size()) break;
      made.set(context.name(named ? context.call().arguments[i].name : type.fields[i].name),
               context.arguments[i]);
    }
    return single_exit(context, self);
  }
  std::vector<Value> arguments{self};
  arguments.insert(arguments.end(), context.arguments.begin(), context.arguments.end());
  Exits exits =
      activation.invoke(*constructor, std::move(arguments), context.state, context.instruction);
  for (Exit& exit : exits) exit.value = self;
  return exits;
}

// An optimizer, or a group of its parameters, is made from what a module lists.
void notify_optimized(CallContext& context) {
  if (context.count() > 0) note_non_leaves(context, context.arguments[0], context.range(0));
  for (size_t i = 0; i < context.count(); ++i) {
    std::vector<Value> lists{context.read(i)};
    const Object* object = context.state.object_of(context.arguments[i]);
    if (object && object->kind == ObjectKind::kContainer) lists = object->elements;
    for (const Value& list : lists) {
      Value parameters = context.state.read(list);
      if (!parameters.is(ValueKind::kParameters)) continue;
      Site site = context.activation.site(context.instruction.range);
      ModuleEvent event{site, ModuleAction::kOptimized, parameters.object, "parameters"};
      context.activation.notify(event, context.state);
    }
  }
}

// An optimizer of the parameters of one module, or one that puts what it is given into one tensor.
bool make_optimizer(CallContext& context, Exits& exits) {
  const std::string& name = context.call().name;
  const Value parameters = context.read(0);
  const Object* options =
      context.count() > 1 ? context.state.object_of(context.arguments[1]) : nullptr;
  std::string_view type = ir::last_component(name);
  bool has_momentum = options && options->find(context.name("momentum"));
  bool keeps_state = always_keeps_state(type) || (type == "SGD" && has_momentum);
  const bool flattens = flattens_gradients(type);
  if (type == "OptimizerParamGroup") {
    Object group;
    set_optimized(context, group, std::span(&parameters, 1));
  }
  if (!keeps_state && !flattens && type != "SGD") return false;
  Object optimizer = context.library_object(name);
  set_optimized(context, optimizer, std::span(&parameters, 1));
  if (!flattens && !parameters.is(ValueKind::kParameters)) return false;
  if (flattens)
    set_flattened(context, optimizer, parameters);
  else if (keeps_state)
    set_updated(context, optimizer, parameters);
  const Value made = context.make(std::move(optimizer));
  // The others make their state at the first step.
  if (type == "Adagrad") settle_state(context, made.object);
  exits = single_exit(context, made);
  return true;
}

// A setter of a library's options: `LossOptions().weight(w)`.
bool set_library_option(CallContext& context, Exits& exits) {
  const ir::Call& call = context.call();
  ObjectId id = context.count() == 2 ? context.state.object_id_of(context.arguments[0]) : kNoObject;
  if (id == kNoObject || context.state.object(id).kind != ObjectKind::kLibrary) return false;
  const std::string& type = context.activation.names().text(context.state.object(id).type_name);
  if (!type.ends_with("Options") && !type.ends_with("Impl")) return false;
  Value value = context.activation.read_member(context.state, context.arguments[1]);
  context.state.edit(id).set(context.name(ir::last_component(call.name)), value);
  exits = single_exit(context, Value::object_ref(id));
  return true;
}

bool construct(CallContext& context, Exits& exits) {
  const ir::Call& call = context.call();
  Activation& activation = context.activation;
  if (const ir::Class* type = activation.program().find_class(call.key, activation.unit())) {
    exits = construct_project_class(context, *type);
    return true;
  }
  if (models::find_module_model(call.name)) {
    exits = single_exit(context, make_library_module(context, call.name));
    return true;
  }
  if (call.name.starts_with("torch::optim::")) {
    notify_optimized(context);
    if (make_optimizer(context, exits)) return true;
  }
  if (call.type.kind == ir::TypeKind::kTensor) {
    exits = single_exit(context, context.count() ? context.read(0) : Value::none());
    return true;
  }
  if (call.type.kind == ir::TypeKind::kContainer || call.type.kind == ir::TypeKind::kTuple) {
    Value result;
    container_effect(context, models::Effect::kMakeContainer, result);
    exits = single_exit(context, result);
    return true;
  }
  return false;
}

std::vector<Value> arguments_from(const CallContext& context, size_t first) {
  return {context.arguments.begin() + static_cast<long>(first), context.arguments.end()};
}

// What a function object that is no lambda does with the arguments behind `first`.
bool functor_call(CallContext& context, const Object& functor, Exits& exits, size_t first) {
  Activation& activation = context.activation;
  const size_t given = context.count() - first - 1;
  const ir::Function* function =
      functor.type ? activation.program().find_method(*functor.type, "operator()", given) : nullptr;
  if (function) {
    exits = activation.invoke(*function, arguments_from(context, first), context.state,
                              context.instruction);
    return true;
  }
  const std::string& name = activation.names().text(functor.type_name);
  bool is_transform = name.starts_with("torch::data::transforms::") && !name.ends_with("Lambda");
  if (functor.type || !is_transform || given != 1) return false;
  exits = single_exit(context, context.state.decider_of(context.arguments[first + 1]));
  return true;
}

// A thread starts with cuda:0 as its current device; what it selects does not concern the caller.
void call_on_thread(CallContext& context, Exits& exits, size_t function) {
  ThreadState own;
  own.selected_at = context.origin(OriginKind::kNamed);
  const ThreadState callers = std::exchange(context.state.thread, own);
  bool is_known = call_function_value(context, exits, function);
  if (!is_known) exits = single_exit(context, Value::unknown());
  for (Exit& exit : exits) exit.state.thread = callers;
}

bool start_thread(CallContext& context, Exits& exits) {
  if (context.count() == 0) return false;
  call_on_thread(context, exits, 0);
  for (Exit& exit : exits) exit.value = Value::unknown();
  return true;
}

// std::async; without a policy, or when deferred, the caller's thread may run the function.
bool start_task(CallContext& context, Exits& exits) {
  constexpr int64_t kOnThread = 1;  // std::launch::async
  const Value policy = context.read(0);
  const size_t function = policy.is(ValueKind::kInt) ? 1 : 0;
  if (context.count() <= function) return false;
  if (function == 0 || policy.number != kOnThread)
    return call_function_value(context, exits, function);
  call_on_thread(context, exits, function);
  return true;
}

bool effect_call(CallContext& context, models::Effect effect, Exits& exits) {
  static constexpr bool (*kEffects[])(CallContext&, models::Effect, Value&) = {
      memory_effect,    handle_effect,   collective_effect,   parallel_effect,  device_effect,
      setup_effect,     text_effect,     tensor_effect,       file_effect,      archive_effect,
      stream_effect,    data_effect,     submodule_effect,    generator_effect, choice_effect,
      container_effect, autograd_effect, process_group_effect};
  if (effect == models::Effect::kCallFunction) {
    return context.count() > 0 && call_function_value(context, exits, 0);
  }
  if (effect == models::Effect::kWait) {
    let_others_run(context);
    effect = models::Effect::kNothing;
  }
  if (effect == models::Effect::kOptimize || effect == models::Effect::kExposeOptimizer) {
    ObjectId optimizer =
        context.count() ? context.state.object_id_of(context.arguments[0]) : kNoObject;
    bool is_step = effect == models::Effect::kOptimize;
    if (optimizer != kNoObject)
      is_step ? note_step(context, optimizer) : forget_state(context, optimizer);
    if (!is_step) return false;
    if (context.count() > 1 && call_function_value(context, exits, 1)) return true;
    effect = models::Effect::kNothing;
  }
  if (effect == models::Effect::kStartThread) return start_thread(context, exits);
  if (effect == models::Effect::kStartTask) return start_task(context, exits);
  if (module_effect(context, effect, exits) || algorithm_effect(context, effect, exits))
    return true;
  Value result;
  bool is_known = std::any_of(std::begin(kEffects), std::end(kEffects),
                              [&](auto* apply) { return apply(context, effect, result); });
  if (is_known) exits = single_exit(context, result);
  return is_known;
}

// The tables spell a construction as the constructor: "c10::Device::Device".
std::string constructor_name(const ir::Call& call) {
  return call.name + "::" + std::string(ir::last_component(call.name));
}

// (backward, context, output): see apply_function in the C++ front end.
Exits applied_call(CallContext& context) {
  const Object* backward = context.state.object_of(context.arguments[0]);
  if (context.count() == 3 && backward && backward->function)
    note_applied(context, *backward->function, context.read(1), context.read(2));
  return single_exit(context, Value::none());
}

bool known_call(CallContext& context, Exits& exits) {
  const ir::Call& call = context.call();
  note_other_question(context);
  Value entry;
  if (state_dict_call(context, entry)) {
    exits = single_exit(context, entry);
    return true;
  }
  if (std::optional<models::Effect> effect = effect_of(call)) {
    if (effect_call(context, *effect, exits)) return true;
  }
  if (call.kind == ir::CallKind::kConstruct && construct(context, exits)) return true;
  if (call.kind == ir::CallKind::kConstruct && call.name.ends_with("Options")) {
    Object options = context.library_object(call.name);
    for (size_t i = 0; i < context.count(); ++i) {
      Value value = context.read(i);
      if (value.is_tensor()) options.set(context.name("weight"), value);
    }
    exits = single_exit(context, context.make(std::move(options)));
    return true;
  }
  std::string method(ir::last_component(call.name));
  const Object* receiver =
      context.count() ? context.state.object_of(context.arguments[0]) : nullptr;
  if (receiver && receiver->is_module()) {
    // A method that the library declares in whatever class: `to`, `parameters`, `eval`, ...
    std::optional<models::Effect> effect = models::find_effect("torch::nn::Module::" + method);
    if (method == "forward" || method == "forward_with_packed_input" || method == "operator()")
      effect = models::Effect::kApplyModule;
    if (effect && effect_call(context, *effect, exits)) return true;
  }
  if (set_library_option(context, exits)) return true;
  if (std::optional<Exits> presence = presence_of_tensor(context)) {
    exits = std::move(*presence);
    return true;
  }
  Value result;
  if (uses_call(context, result) || dataset_call(context, result) ||
      scalar_operation(context, result) || operator_call(context, result)) {
    exits = single_exit(context, result);
    return true;
  }
  return false;
}

bool library_call(CallContext& context, Exits& exits) {
  note_routine(context);
  note_wait_or_read(context);
  bool is_known = known_call(context, exits);
  if (is_known) note_copy(context, exits);
  if (is_known) note_host_traffic(context, exits);
  return is_known;
}

std::optional<models::ReceiverKind> receiver_kind(const State& state, const Value& value) {
  if (value.is_tensor()) return models::ReceiverKind::kTensor;
  if (value.is(ValueKind::kDevice)) return models::ReceiverKind::kDevice;
  if (value.is(ValueKind::kOptions)) return models::ReceiverKind::kOptions;
  if (value.is(ValueKind::kParameters)) return models::ReceiverKind::kContainer;
  const Object* object = state.object_of(value);
  if (!object) return std::nullopt;
  if (is_list(*object)) return models::ReceiverKind::kContainer;
  // A class of the project is asked for its own method first, by the bare name.
  if (object->is_module() && !object->type) return models::ReceiverKind::kModule;
  return std::nullopt;
}

// The name of a call whose front end had no types, as the values at hand decide it.
std::string resolved_name(const CallContext& context) {
  const ir::Call& call = context.call();
  bool is_method = ir::is_untyped(call);
  if ((!is_method && !is_scalar_operation(call.name)) || context.count() == 0) return "";
  bool asks_presence = !is_method && context.count() > 1 && context.read(1).is(ValueKind::kNone);
  if (asks_presence) return "";
  for (size_t i = 0; i < (is_method ? 1 : context.count()); ++i) {
    std::optional<models::ReceiverKind> kind = receiver_kind(context.state, context.read(i));
    if (kind && (is_method || *kind == models::ReceiverKind::kTensor))
      return models::typed_name(*kind, call.name);
  }
  return "";
}

// Everything in a value of that type that can have a place is at `place`.
Value value_at(CallContext& context, const ir::Type& type, const Place& place, uint32_t& made) {
  Object object;
  switch (type.kind) {
    case ir::TypeKind::kDevice:
      return Value::device(place);
    case ir::TypeKind::kTensor: {
      Value tensor = Value::tensor(resolve(context.state, place), Rank::kNonScalar);
      tensor.origin = context.origin(OriginKind::kCreated);
      return tensor;
    }
    case ir::TypeKind::kContainer:
      object.kind = ObjectKind::kContainer;
      object.open = true;
      if (!type.arguments.empty())
        object.rest = value_at(context, type.arguments.back(), place, made);
      return context.make(std::move(object), made++);
    case ir::TypeKind::kTuple:
      object.kind = ObjectKind::kTuple;
      for (const ir::Type& each : type.arguments)
        object.elements.push_back(value_at(context, each, place, made));
      return context.make(std::move(object), made++);
    default:
      return Value::unknown();
  }
}

const models::UserModel* user_model(CallContext& context) {
  const models::UserModels* models = context.activation.user_models();
  if (!models) return nullptr;
  const ir::Call& call = context.call();
  if (const models::UserModel* model = models->find(call.name)) return model;
  return call.kind == ir::CallKind::kConstruct ? models->find(constructor_name(call)) : nullptr;
}

bool user_call(CallContext& context, const models::UserModel& model, Exits& exits) {
  if (model.effect) return effect_call(context, *model.effect, exits);
  uint32_t made = 0;
  Place place = parse_device(model.returns);
  Value result = value_at(context, context.call().type, place, made);
  exits = single_exit(context, result);
  return true;
}

// `auto select = cudaSetDevice; select(1);`
bool library_function_call(CallContext& context, const Object& function, Exits& exits,
                           size_t first) {
  const std::string& name = context.activation.names().text(function.type_name);
  if (!function.elements.empty() || name.empty() || first >= context.call().arguments.size())
    return false;
  std::vector<size_t> sources(context.call().arguments.size() - first - 1);
  std::iota(sources.begin(), sources.end(), first + 1);
  const ir::Instruction& direct =
      context.activation.rewritten(context.instruction, name, ir::CallKind::kDirect, "", sources);
  const std::vector<Value> arguments = arguments_from(context, first + 1);
  CallContext call{context.activation, context.state, direct, arguments};
  return library_call(call, exits);
}

bool apply_typed(CallContext& context, Exits& exits) {
  const ir::Call& call = context.call();
  if (call.name.starts_with("loop.")) {
    exits = is_dynamic(context.activation.function()) ? dynamic_loop(context) : loop_call(context);
    return true;
  }
  if (call.name == "autograd::applied") {
    exits = applied_call(context);
    return true;
  }
  if (const models::UserModel* model = user_model(context))
    return user_call(context, *model, exits);
  bool is_function = call.kind == ir::CallKind::kIndirect || call.name == "operator()";
  if (is_function && context.count() > 0 && call_function_value(context, exits, 0)) return true;
  bool has_model = call.name.starts_with("placecheck::parallel::");
  if (!has_model && call.kind != ir::CallKind::kConstruct) {
    if (const ir::Function* callee = callee_of(context)) {
      exits =
          context.activation.invoke(*callee, context.arguments, context.state, context.instruction);
      return true;
    }
  }
  return library_call(context, exits);
}

}  // namespace

bool call_function_value(CallContext& context, Exits& exits, size_t first) {
  const Object* closure = context.state.object_of(context.arguments[first]);
  const ir::Function* function =
      closure && closure->kind == ObjectKind::kClosure ? closure->function : nullptr;
  Activation& activation = context.activation;
  if (const ir::Function* named =
          activation.program().find_function(context.call().key, activation.unit())) {
    function = named;
  }
  if (!function && closure && closure->kind == ObjectKind::kClosure)
    return library_function_call(context, *closure, exits, first);
  if (!function) return closure && functor_call(context, *closure, exits, first);
  std::vector<Value> arguments = arguments_from(context, first + 1);
  if (closure)
    arguments.insert(arguments.begin(), closure->elements.begin(), closure->elements.end());
  exits = activation.invoke(*function, std::move(arguments), context.state, context.instruction);
  return true;
}

std::optional<models::Effect> effect_of(const ir::Call& call) {
  if (std::optional<models::Effect> effect = models::find_effect(call.name)) return effect;
  if (call.kind != ir::CallKind::kConstruct) return std::nullopt;
  return models::find_effect(constructor_name(call));
}

bool selects_or_guards_device(const ir::Instruction& instruction) {
  if (instruction.opcode != ir::Opcode::kCall) return false;
  const std::optional<models::Effect> effect = effect_of(instruction.call);
  return models::selects_device(effect) || effect == models::Effect::kDeviceGuard;
}

Exits single_exit(CallContext& context, const Value& value) {
  Exits exits;
  exits.push_back({std::move(context.state), value});
  return exits;
}

bool apply_call(CallContext& context, Exits& exits) {
  if (is_dynamic(context.call())) {
    exits = dynamic_call(context);
    return true;
  }
  for (auto* operation : {formatted_text, arithmetic_of_batch}) {
    if (std::optional<Exits> results = operation(context)) {
      exits = std::move(*results);
      return true;
    }
  }
  for (auto* operation : {list_operation, key_operation, path_operation}) {
    if (std::optional<Value> result = operation(context)) {
      exits = single_exit(context, *result);
      return true;
    }
  }
  std::string name = resolved_name(context);
  if (name.empty()) return apply_typed(context, exits);
  const ir::Instruction& named = context.activation.renamed(context.instruction, name);
  CallContext typed{context.activation, context.state, named, context.arguments};
  return apply_typed(typed, exits);
}

}  // namespace placecheck::dataflow
