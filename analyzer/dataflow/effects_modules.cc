// Modules: registration, moving, calling.
#include <set>

#include "analyzer/dataflow/effects.h"
#include "analyzer/models/libraries/modules.h"

namespace placecheck::dataflow {
namespace {

using models::Effect;
using models::Forward;
using models::ModuleModel;

constexpr std::string_view kState = "weight";
constexpr size_t kMaxExits = 4;
constexpr size_t kMaxChildren = 512;

Value make_cell(CallContext& context, const Value& tensor, uint32_t ordinal) {
  Object cell;
  cell.kind = ObjectKind::kCell;
  cell.elements.push_back(tensor);
  Value handle =
      Value::tensor(Place::cell(context.make(std::move(cell), ordinal).object), tensor.rank);
  handle.origin = tensor.origin;
  return handle;
}

// The cell that stands for a library module's whole state; made up where the module is older than
// the analysis.
Value state_of(CallContext& context, ObjectId module) {
  Name name = context.name(kState);
  const Object& object = context.state.object(module);
  if (const Registered* state = object.find_registered(name)) return state->value;
  Place place = object.moved      ? object.moved_to
                : object.complete ? Place::unknown()
                                  : Place::alike(object.symbol);
  Value tensor = Value::tensor(place, Rank::kNonScalar);
  Value cell = make_cell(context, tensor, 900);
  context.state.edit(module).registered.push_back({name, RegisteredKind::kParameter, cell, {}});
  return cell;
}

Value registered_name(CallContext& context, size_t i) {
  Value name = context.read(i);
  bool usable = name.is(ValueKind::kString) || name.is(ValueKind::kSymbol);
  return usable ? name : Value::string(context.name("?"));
}

void register_in(CallContext& context, ObjectId module, Name name, RegisteredKind kind,
                 const Value& value) {
  Object& object = context.state.edit(module);
  for (Registered& entry : object.registered) {
    if (entry.name != name) continue;
    entry = {name, kind, value, {}};
    return;
  }
  if (object.registered.size() < kMaxChildren) object.registered.push_back({name, kind, value, {}});
}

// Registered or not, it is one tensor: variables and members that hold it follow it from now on.
void adopt_aliases(CallContext& context, ObjectId module, OriginId origin, const Value& handle) {
  if (origin == 0) return;
  auto adopt = [&](Value& value) {
    bool is_alias =
        value.is_tensor() && value.origin == origin && value.place.kind != PlaceKind::kCell;
    if (is_alias) value = handle;
  };
  for (Value& slot : context.state.slots) adopt(slot);
  for (auto& [name, field] : context.state.edit(module).fields) adopt(field);
}

Value register_tensor(CallContext& context, RegisteredKind kind) {
  ObjectId module = context.state.object_id_of(context.arguments[0]);
  Value tensor =
      context.state.decider_of(context.arguments.size() > 2 ? context.arguments[2] : Value::none());
  if (module == kNoObject || context.count() < 3) return tensor;
  if (!tensor.is_tensor()) tensor = Value::tensor(Place::unknown());
  if (kind == RegisteredKind::kParameter) tensor.requires_grad = true;
  Value handle = make_cell(context, tensor, 0);
  handle.requires_grad = tensor.requires_grad;
  adopt_aliases(context, module, tensor.origin, handle);
  register_in(context, module, registered_name(context, 1).name, kind, handle);
  return handle;
}

Value register_module(CallContext& context) {
  ObjectId module = context.state.object_id_of(context.arguments[0]);
  Value child = context.read(2);
  if (module != kNoObject) {
    register_in(context, module, registered_name(context, 1).name, RegisteredKind::kModule, child);
  }
  return child;
}

void add_child(CallContext& context, ObjectId container, const Value& child, Name name) {
  // A loop that adds what it makes adds the same abstract module each time: it is there already.
  for (const Registered& entry : context.state.object(container).registered) {
    auto is_child = [&](const Value& known) { return same(known, child); };
    if (child.is_object() &&
        (is_child(entry.value) || std::any_of(entry.either.begin(), entry.either.end(), is_child)))
      return;
  }
  Object& object = context.state.edit(container);
  if (object.registered.size() >= kMaxChildren) return;
  if (name == 0) name = context.name(std::to_string(object.registered.size()));
  object.registered.push_back({name, RegisteredKind::kModule, child, {}});
}

// push_back(module), push_back(name, module), extend(container), the constructor of a Sequential.
void add_children(CallContext& context, ObjectId container, size_t first) {
  Name name = 0;
  for (size_t i = first; i < context.count(); ++i) {
    Value child = context.read(i);
    const Object* object = context.state.object_of(child);
    if (child.is(ValueKind::kString)) {
      name = child.name;
      continue;
    }
    if (object && object->kind == ObjectKind::kContainer) {
      std::vector<Value> children = object->elements;
      if (object->open) children.push_back(object->rest);
      for (const Value& element : children)
        add_child(context, container, context.state.read(element), 0);
    } else {
      add_child(context, container, child, name);
    }
    name = 0;
  }
}

Value child_of(CallContext& context) {
  const Object* container = context.state.object_of(context.arguments[0]);
  if (!container || container->registered.empty()) return Value::unknown();
  Value index = context.read(1);
  size_t position = static_cast<size_t>(index.number);
  if (index.is(ValueKind::kInt) && position < container->registered.size()) {
    return container->registered[position].value;
  }
  Value all = container->registered[0].value;
  for (const Registered& entry : container->registered) all = join(all, entry.value, 0);
  return all;
}

Value after_move(CallContext& context) {
  ObjectId module = context.state.object_id_of(context.arguments[0]);
  if (module == kNoObject) return Value::none();
  Place place = Place::unknown();
  OriginId named_at = 0;
  bool names_device = false;
  for (size_t i = 1; i < context.count(); ++i) {
    Value argument = context.read(i);
    if (std::optional<Place> named = named_place(context, argument)) {
      place = *named;
      named_at = argument.origin;
      names_device = true;
    } else if (i == 1 && argument.is(ValueKind::kUnknown) && context.count() > 1) {
      names_device = true;  // it may; then nothing is known of the place
    }
  }
  bool dtype_only = context.count() == 2 && !names_device;
  if (dtype_only) return Value::none();
  use_device(context, place, named_at);
  move_module(context.state, module, place, context.origin(OriginKind::kMoved));
  context.activation.notify(ModuleEvent{context.activation.site(context.instruction.range),
                                        ModuleAction::kMoved, module, "to"},
                            context.state);
  return context.arguments[0];
}

void notify_module(CallContext& context, ModuleAction action) {
  ObjectId module = context.state.object_id_of(context.arguments[0]);
  if (module == kNoObject || !context.state.object(module).is_module()) return;
  context.activation.notify(
      ModuleEvent{context.activation.site(context.instruction.range), action, module,
                  std::string(ir::last_component(context.call().name))},
      context.state);
}

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
  const Registered* state = object.find_registered(context.name(kState));
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

Value run_library_module(CallContext& context, const ModuleModel& model, ObjectId module) {
  std::vector<Operand> operands;
  bool has_own_state =
      context.state.object(module).find_registered(context.name(kState)) != nullptr;
  if (model.has_state || has_own_state) {
    Value cell = state_of(context, module);
    Operand state;
    state.decider = context.state.decider_of(cell);
    state.place = context.state.place_of(cell);
    state.rank = Rank::kNonScalar;
    state.range = context.range(0);
    state.role = kState;
    state.is_module_state = true;
    state.origin = state.decider.origin;
    operands.push_back(state);
  }
  for (size_t i = 1; i < context.count(); ++i) add_operands(context, i, operands);
  if (model.has_state) settle_state(context, module, operands);
  models::DeviceRule rule = model.forward == Forward::kClassLoss ? models::DeviceRule::kExactSame
                                                                 : models::DeviceRule::kComposite;
  std::string name = "torch::nn::" + std::string(model.name) + "::forward";
  Rank rank = models::is_loss(model.forward) ? Rank::kScalar : layer_rank(model.name, operands);
  Value tensor = combine(context, name, rule, std::move(operands), rank);
  return shaped_result(context, model, tensor);
}

Exits apply(CallContext& context);

// The child is one of several: each is run on the same input.
void run_alternatives(CallContext& context, const std::vector<Value>& children,
                      const std::vector<Value>& inputs, Exit& exit) {
  std::optional<Value> result;
  for (const Value& child : children) {
    std::vector<Value> arguments{child};
    arguments.insert(arguments.end(), inputs.begin(), inputs.end());
    CallContext step{context.activation, exit.state, context.instruction, arguments};
    Exits ends = apply(step);
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
      std::vector<Value> arguments{child.value};
      arguments.insert(arguments.end(), inputs.begin(), inputs.end());
      CallContext step{context.activation, exit.state, context.instruction, arguments};
      for (Exit& result : apply(step)) {
        if (next.size() < kMaxExits) next.push_back(std::move(result));
      }
    }
    exits = std::move(next);
  }
  return exits;
}

// Anything callable whose inputs and state must meet: a scripted module.
Exits run_program(CallContext& context, ObjectId module) {
  static constexpr ModuleModel kProgram{"jit", Forward::kLayer, true, false};
  Value result = run_library_module(context, kProgram, module);
  return single_exit(context, result);
}

// Argument 0 is the module.
Exits apply(CallContext& context) {
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
  if (object.type) {
    const ir::Function* forward =
        activation.program().find_method(*object.type, "forward", context.count() - 1);
    if (forward)
      return activation.invoke(*forward, context.arguments, context.state, context.instruction);
  }
  const std::string& name = activation.names().text(object.type_name);
  if (name.starts_with("torch::jit::")) return run_program(context, module);
  const ModuleModel* model = models::find_module_model(name);
  bool derives_sequential =
      object.type && activation.program().derives_from(*object.type, "torch::nn::SequentialImpl");
  if (derives_sequential || (model && model->forward == Forward::kSequential))
    return run_sequential(context, module);
  if (!model) return single_exit(context, unknown);
  Value result = run_library_module(context, *model, module);
  return single_exit(context, result);
}

}  // namespace

void move_module(State& state, ObjectId root, const Place& place, OriginId origin) {
  std::set<ObjectId> done;
  std::vector<ObjectId> work{root};
  while (!work.empty()) {
    ObjectId id = work.back();
    work.pop_back();
    if (!state.has(id) || !done.insert(id).second) continue;
    Object& object = state.edit(id);
    object.origin = origin;
    std::vector<Value> moved;
    for (const Registered& entry : object.registered) {
      moved.push_back(entry.value);
      moved.insert(moved.end(), entry.either.begin(), entry.either.end());
    }
    if (!object.complete) {
      // What it has registered is not known: its modules are taken to be, its tensors may be.
      object.moved = true;
      object.moved_to = place;
      for (auto& [name, field] : object.fields) {
        if (field.is_tensor() && field.place.kind != PlaceKind::kCell)
          field.place = Place::unknown();
        if (field.is_object()) moved.push_back(field);
      }
    }
    for (const Value& value : moved) {
      Value direct = state.read(value);
      if (direct.is_object() && state.has(direct.object) &&
          state.object(direct.object).is_module()) {
        work.push_back(direct.object);
      } else if (direct.is_tensor() && direct.place.kind == PlaceKind::kCell &&
                 state.has(direct.place.symbol)) {
        Value& tensor = state.edit(direct.place.symbol).elements[0];
        tensor.place = place;
        tensor.origin = origin;
        tensor.input = Value::kNotInput;
      }
    }
  }
}

Value make_library_module(CallContext& context, const std::string& class_name) {
  const ModuleModel* model = models::find_module_model(class_name);
  Object module;
  module.kind = ObjectKind::kModule;
  module.type_name = context.name(class_name);
  module.origin = context.origin(OriginKind::kBuilt);
  if (model->has_state) {
    Value tensor = Value::tensor(Place::cpu(), Rank::kNonScalar);
    tensor.origin = module.origin;
    Value cell = make_cell(context, tensor, 1);
    module.registered.push_back({context.name(kState), RegisteredKind::kParameter, cell, {}});
    for (std::string_view field : {"weight", "bias", "running_mean", "running_var"}) {
      module.set(context.name(field), cell);
    }
  }
  // A loss keeps the weights that its options give.
  const Object* options = context.count() ? context.state.object_of(context.arguments[0]) : nullptr;
  for (std::string_view option : {"weight", "pos_weight"}) {
    const Value* given =
        options && models::is_loss(model->forward) ? options->find(context.name(option)) : nullptr;
    if (!given || !given->is_tensor()) continue;
    Value tensor = context.state.decider_of(*given);
    Value cell = make_cell(context, tensor, 1);
    module.registered.push_back({context.name(kState), RegisteredKind::kBuffer, cell, {}});
    break;
  }
  Value made = context.make(std::move(module));
  if (model->forward == Forward::kSequential || model->forward == Forward::kNone)
    add_children(context, made.object, 0);
  return made;
}

bool registered_tensors(const State& state, const Names& names, ObjectId module,
                        const std::string& prefix,
                        std::vector<std::pair<std::string, Value>>& found) {
  constexpr size_t kLimit = 4096;
  const Object& object = state.object(module);
  if (!object.complete || found.size() > kLimit || prefix.size() > 256) return false;
  bool known = true;
  for (const Registered& entry : object.registered) {
    std::string name = prefix + names.text(entry.name);
    if (entry.kind != RegisteredKind::kModule) {
      found.emplace_back(name, entry.value);
      continue;
    }
    Value child = state.read(entry.value);
    if (child.is(ValueKind::kNone)) continue;
    ObjectId id = state.object_id_of(child);
    known = id != kNoObject && registered_tensors(state, names, id, name + ".", found) && known;
  }
  return known;
}

Value parameter_of(Activation& activation, State& state, ObjectId module) {
  std::vector<std::pair<std::string, Value>> tensors;
  if (!registered_tensors(state, activation.names(), module, "", tensors) || tensors.empty()) {
    const Object& object = state.object(module);
    return Value::tensor(object.moved ? object.moved_to : Place::unknown());
  }
  Value first = state.decider_of(tensors[0].second);
  for (const auto& [name, value] : tensors) {
    if (!(state.place_of(value) == first.place)) return Value::tensor(Place::unknown());
  }
  first.rank = Rank::kNonScalar;
  return first;
}

bool module_effect(CallContext& context, Effect effect, Exits& exits) {
  Value result;
  bool has_receiver = context.count() > 0;
  ObjectId receiver = has_receiver ? context.state.object_id_of(context.arguments[0]) : kNoObject;
  switch (effect) {
    case Effect::kApplyModule:
      exits = has_receiver ? apply(context) : single_exit(context, result);
      return true;
    case Effect::kModuleMove:
      result = has_receiver ? after_move(context) : result;
      break;
    case Effect::kRegisterModule:
      if (context.count() < 3) return false;
      result = register_module(context);
      break;
    case Effect::kRegisterParameter:
    case Effect::kRegisterBuffer: {
      if (!has_receiver) return false;
      bool parameter = effect == Effect::kRegisterParameter;
      result = register_tensor(context,
                               parameter ? RegisteredKind::kParameter : RegisteredKind::kBuffer);
      break;
    }
    case Effect::kAddModule:
      if (receiver != kNoObject) add_children(context, receiver, 1);
      break;
    case Effect::kChildOfContainer:
      result = has_receiver ? child_of(context) : result;
      break;
    case Effect::kParameters:
      result = receiver != kNoObject ? Value::parameters(receiver) : Value::unknown();
      break;
    case Effect::kSwitchMode:
      if (has_receiver) notify_module(context, ModuleAction::kSwitched);
      if (receiver != kNoObject) set_mode(context, receiver);
      break;
    case Effect::kCloneModule:
      result = has_receiver ? context.read(0) : result;
      if (receiver != kNoObject)
        result = context.activation.symbolic(context.call().type, "clone", context.state,
                                             &context.instruction);
      break;
    default:
      return false;
  }
  exits = single_exit(context, result);
  return true;
}

}  // namespace placecheck::dataflow
