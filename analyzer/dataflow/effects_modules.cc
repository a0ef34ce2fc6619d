// Modules: registration, moving, calling.
#include <algorithm>
#include <iterator>
#include <set>

#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/havoc.h"
#include "analyzer/dataflow/key_tables.h"
#include "analyzer/dataflow/optimizers.h"
#include "analyzer/dataflow/scalars.h"
#include "analyzer/models/libraries/modules.h"

namespace placecheck::dataflow {
namespace {

using models::Effect;
using models::Forward;
using models::ModuleModel;

constexpr size_t kMaxChildren = 512;

void note_computed_name(CallContext& context, ObjectId module) {
  if (module != kNoObject)
    context.state.edit(module).set(context.name(kComputedNames), Value::boolean(true));
}

Value registered_name(CallContext& context, size_t i) {
  Value name = context.read(i);
  if (!name.is(ValueKind::kString))
    note_computed_name(context, context.state.object_id_of(context.arguments[0]));
  bool usable = name.is(ValueKind::kString) || name.is(ValueKind::kSymbol);
  return usable ? name : Value::string(context.name("?"));
}

// What a library's network has registered under a name is a part of the whole.
Value registered_before(CallContext& context, ObjectId module, Name name) {
  const bool is_part =
      names_part_of_network(context.activation.names().text(name)) && is_network(context, module);
  if (is_part) return Value::object_ref(module);
  const Registered* entry = context.state.object(module).find_registered(name);
  return entry ? entry->value : Value::none();
}

void register_in(CallContext& context, ObjectId module, Name name, RegisteredKind kind,
                 const Value& value) {
  note_replaced_child(context, registered_before(context, module, name), value);
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
  auto is_alias = [&](const Value& value) {
    return value.is_tensor() && value.origin == origin && value.place.kind != PlaceKind::kCell;
  };
  context.state.slots.replace_if(is_alias, handle);
  for (auto& [name, field] : context.state.edit(module).fields)
    if (is_alias(field)) field = handle;
}

// Whether the argument is what a call has just returned: nothing else holds it yet.
bool is_temporary(CallContext& context, size_t i) {
  if (i >= context.call().arguments.size()) return false;
  const ir::Instruction* given =
      context.activation.find_definition(context.call().arguments[i].value);
  return given && given->opcode == ir::Opcode::kCall;
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
  if (!is_temporary(context, 2)) adopt_aliases(context, module, tensor.origin, handle);
  register_in(context, module, registered_name(context, 1).name, kind, handle);
  return handle;
}

// A module without state of its own, in which others are registered. The constructors of derived
// classes call this one, too.
Value make_plain_module(CallContext& context) {
  if (context.call().kind != ir::CallKind::kConstruct) return Value::none();
  Object module;
  module.kind = ObjectKind::kModule;
  module.type_name = context.name("torch::nn::Module");
  module.origin = context.origin(OriginKind::kBuilt);
  return context.make(std::move(module));
}

Value register_module(CallContext& context) {
  ObjectId module = context.state.object_id_of(context.arguments[0]);
  Value child = context.read(2);
  if (module != kNoObject) {
    register_in(context, module, registered_name(context, 1).name, RegisteredKind::kModule, child);
  }
  return child;
}

void note_more_children(CallContext& context, ObjectId container) {
  context.state.edit(container).set(context.name(kMayLackChildren), Value::boolean(true));
}

void add_child(CallContext& context, ObjectId container, const Value& child, Name name) {
  // A loop that adds what it makes adds the same abstract module each time: it is there already.
  for (const Registered& entry : context.state.object(container).registered) {
    auto is_child = [&](const Value& known) { return same(known, child); };
    if (child.is_object() &&
        (is_child(entry.value) || std::any_of(entry.either.begin(), entry.either.end(), is_child)))
      return note_more_children(context, container);
  }
  Object& object = context.state.edit(container);
  const auto of_name = std::ranges::find(object.registered, name, &Registered::name);
  if (name != 0 && of_name != object.registered.end()) {
    *of_name = {name, RegisteredKind::kModule, child, {}};
    return;
  }
  if (object.registered.size() >= kMaxChildren) return note_more_children(context, container);
  if (name == 0) name = context.name(std::to_string(object.registered.size()));
  object.registered.push_back({name, RegisteredKind::kModule, child, {}});
}

// The modules of a list, of a table, or of a list of pairs of names and modules.
void add_listed(CallContext& context, ObjectId container, const Object& list) {
  const auto name_of = [](const Value& key) { return key.is(ValueKind::kString) ? key.name : 0; };
  std::vector<std::pair<Name, Value>> children;
  for (size_t i = 0; i < list.elements.size(); ++i) {
    const Value element = context.state.read(list.elements[i]);
    const Object* pair = context.state.object_of(element);
    const bool is_pair = pair && pair->kind == ObjectKind::kTuple && pair->elements.size() == 2;
    const Name name = i < list.keys.size() ? name_of(list.keys[i]) : 0;
    if (is_pair)
      children.emplace_back(name_of(context.state.read(pair->elements[0])),
                            context.state.read(pair->elements[1]));
    else
      children.emplace_back(name, element);
  }
  if (list.open) note_more_children(context, container);
  if (list.open && !list.rest.is(ValueKind::kNone))
    children.emplace_back(0, context.state.read(list.rest));
  for (const auto& [name, child] : children) add_child(context, container, child, name);
}

// push_back(module), push_back(name, module), extend(container), update(table), the constructor of
// a Sequential.
void add_children(CallContext& context, ObjectId container, size_t first) {
  Name name = 0;
  for (size_t i = first; i < context.count(); ++i) {
    Value child = context.read(i);
    const Object* object = context.state.object_of(child);
    if (child.is(ValueKind::kString)) {
      name = child.name;
      continue;
    }
    if (child.is_scalar()) {
      note_computed_name(context, container);
      continue;
    }
    if (object && object->kind == ObjectKind::kContainer) {
      add_listed(context, container, Object(*object));
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
  if (index.is(ValueKind::kString)) {
    const Registered* child = container->find_registered(index.name);
    return child ? child->value : Value::unknown();
  }
  size_t position = static_cast<size_t>(index.number);
  if (index.is(ValueKind::kInt) && position < container->registered.size()) {
    return container->registered[position].value;
  }
  Value all = container->registered[0].value;
  for (const Registered& entry : container->registered) all = join(all, entry.value, 0);
  return all;
}

// libtorch's Module::to() calls that of each child, whose override may move the members that are
// not registered: to_impl() in torch/nn/module.h. In Python it does not.
void doubt_members_of_movers(CallContext& context, ObjectId root) {
  if (is_dynamic(context.activation.function())) return;
  std::set<ObjectId> done{root};
  std::vector<ObjectId> work{root};
  while (!work.empty()) {
    const ObjectId id = work.back();
    work.pop_back();
    for (const Value& each : registered_values(context.state.object(id))) {
      const ObjectId child = context.state.object_id_of(each);
      if (child == kNoObject || !context.state.object(child).is_module() ||
          !done.insert(child).second)
        continue;
      work.push_back(child);
      const ir::Class* type = context.state.object(child).type;
      if (!type || !context.activation.program().overrides(*type, "to")) continue;
      for (auto& [name, field] : context.state.edit(child).fields)
        if (field.is_tensor() && field.place.kind != PlaceKind::kCell)
          field.place = Place::unknown();
    }
  }
}

// One of a list's modules is moved, and which one is not known.
void doubt_elements(CallContext& context, const Value& element) {
  const bool is_one = element.is(ValueKind::kAddress) && context.state.has(element.object) &&
                      (element.path == Value::kSomeElement || element.path == Value::kEachElement);
  if (!is_one) return;
  const Name label =
      context.name("moved<" + context.activation.number_of(context.instruction) + ">");
  Havoc havoc(context.state, context.activation.names(), label);
  havoc.objects_among(std::vector<Value>(context.state.object(element.object).elements));
}

Value after_move(CallContext& context) {
  ObjectId module = context.state.object_id_of(context.arguments[0]);
  if (module == kNoObject) {
    doubt_elements(context, context.arguments[0]);
    return Value::none();
  }
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
  doubt_members_of_movers(context, module);
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

}  // namespace

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
  Name name = context.name(kModuleState);
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

std::vector<Value> registered_values(const Object& module) {
  std::vector<Value> values;
  for (const Registered& entry : module.registered) {
    values.push_back(entry.value);
    values.insert(values.end(), entry.either.begin(), entry.either.end());
  }
  for (const auto& [name, field] : module.fields)
    if (!module.complete && field.is_object()) values.push_back(field);
  return values;
}

void move_module(State& state, ObjectId root, const Place& place, OriginId origin) {
  std::set<ObjectId> done;
  std::vector<ObjectId> work{root};
  while (!work.empty()) {
    ObjectId id = work.back();
    work.pop_back();
    if (!state.has(id) || !done.insert(id).second) continue;
    Object& object = state.edit(id);
    object.origin = origin;
    const std::vector<Value> moved = registered_values(object);
    if (!object.complete) {
      // What it has registered is not known: its modules are taken to be, its tensors may be.
      object.moved = true;
      object.moved_to = place;
      for (auto& [name, field] : object.fields) {
        if (field.is_tensor() && field.place.kind != PlaceKind::kCell)
          field.place = Place::unknown();
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

const ModuleModel* model_of(Activation& activation, const Object& module) {
  if (!module.type) return models::find_module_model(activation.names().text(module.type_name));
  for (const std::string& base : activation.program().bases_of(*module.type)) {
    if (const ModuleModel* model = models::find_module_model(base)) return model;
  }
  return nullptr;
}

void add_library_state(CallContext& context, ObjectId module) {
  const ModuleModel* model = model_of(context.activation, context.state.object(module));
  if (!model || !model->has_state) return;
  Value tensor = Value::tensor(Place::cpu(), Rank::kNonScalar);
  tensor.origin = context.state.object(module).origin;
  const Value buffer = make_cell(context, tensor, 1);
  Value parameter = buffer;
  parameter.requires_grad = true;
  Object& object = context.state.edit(module);
  object.registered.push_back(
      {context.name(kModuleState), RegisteredKind::kParameter, parameter, {}});
  for (std::string_view field : {"weight", "bias"}) object.set(context.name(field), parameter);
  for (std::string_view field : {"running_mean", "running_var"})
    object.set(context.name(field), buffer);
}

Value make_library_module(CallContext& context, const std::string& class_name) {
  const ModuleModel* model = models::find_module_model(class_name);
  Object module;
  module.kind = ObjectKind::kModule;
  module.type_name = context.name(class_name);
  module.origin = context.origin(OriginKind::kBuilt);
  // A loss keeps the weights that its options give.
  const Object* options = context.count() ? context.state.object_of(context.arguments[0]) : nullptr;
  for (std::string_view option : {"weight", "pos_weight"}) {
    const Value* given =
        options && models::is_loss(model->forward) ? options->find(context.name(option)) : nullptr;
    if (!given || !given->is_tensor()) continue;
    Value tensor = context.state.decider_of(*given);
    Value cell = make_cell(context, tensor, 1);
    module.registered.push_back({context.name(kModuleState), RegisteredKind::kBuffer, cell, {}});
    break;
  }
  Value made = context.make(std::move(module));
  add_library_state(context, made.object);
  if (model->forward == Forward::kSequential || model->forward == Forward::kNone)
    add_children(context, made.object, 0);
  return made;
}

namespace {

using NamedTensors = std::vector<std::pair<std::string, Value>>;

// The tensors of the first of several modules, where all tensors of all of them are at one place.
NamedTensors tensors_at_one_place(const State& state, const Names& names,
                                  const std::vector<Value>& modules, const std::string& prefix) {
  NamedTensors first;
  for (const Value& each : modules) {
    NamedTensors tensors;
    if (!registered_tensors(state, names, state.object_id_of(each), prefix, tensors)) return {};
    if (first.empty()) first = tensors;
    if (tensors.empty() || !std::ranges::all_of(tensors, [&](const auto& tensor) {
          const Place place = state.place_of(tensor.second);
          return place.is_known() && place == state.place_of(first.front().second);
        }))
      return {};
  }
  return first;
}

}  // namespace

bool registered_tensors(const State& state, const Names& names, ObjectId module,
                        const std::string& prefix,
                        std::vector<std::pair<std::string, Value>>& found) {
  constexpr size_t kLimit = 4096;
  if (!state.has(module)) return false;
  const Object& object = state.object(module);
  if (!object.complete || found.size() > kLimit || prefix.size() > 256) return false;
  bool known = true;
  for (const Registered& entry : object.registered) {
    std::string name = prefix + names.text(entry.name);
    if (entry.kind != RegisteredKind::kModule) {
      found.emplace_back(name, entry.value);
      continue;
    }
    if (!entry.either.empty()) {
      std::ranges::move(tensors_at_one_place(state, names, entry.either, name + "."),
                        std::back_inserter(found));
      known = false;
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
  if (!state.has(module)) return Value::tensor(Place::unknown());
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

// The first parameter of a module in the order of parameters(), or the last; nothing where that is
// not known. A module comes before those in it.
static std::optional<Value> end_parameter(const State& state, ObjectId module, bool last) {
  if (module == kNoObject || !state.has(module) || !state.object(module).complete)
    return std::nullopt;
  std::vector<Registered> entries = state.object(module).registered;
  std::ranges::stable_partition(
      entries, [](const Registered& each) { return each.kind != RegisteredKind::kModule; });
  if (last) std::ranges::reverse(entries);
  for (const Registered& entry : entries) {
    if (entry.kind == RegisteredKind::kBuffer) continue;
    if (entry.kind != RegisteredKind::kModule) return state.decider_of(entry.value);
    if (!entry.either.empty()) return std::nullopt;
    if (state.read(entry.value).is(ValueKind::kNone)) continue;
    std::optional<Value> found = end_parameter(state, state.object_id_of(entry.value), last);
    if (!found || found->is_tensor()) return found;
  }
  return Value::none();
}

Value end_parameter_of(Activation& activation, State& state, const Value& list, bool last) {
  const std::optional<Value> end =
      list.number == Value::kBuffers ? std::nullopt : end_parameter(state, list.object, last);
  return end && end->is_tensor() ? *end : parameter_of(activation, state, list.object);
}

void displace_parameters(State& state, const Value& tensor) {
  for (ObjectId id = 0; id < state.object_count(); ++id) {
    if (!state.has(id) || state.object(id).kind != ObjectKind::kCell) continue;
    bool is_alike = state.object(id).elements[0].place == tensor.place;
    if (is_alike) state.edit(id).elements[0].place = Place::unknown();
  }
}

bool module_effect(CallContext& context, Effect effect, Exits& exits) {
  Value result;
  bool has_receiver = context.count() > 0;
  ObjectId receiver = has_receiver ? context.state.object_id_of(context.arguments[0]) : kNoObject;
  switch (effect) {
    case Effect::kApplyModule:
      exits = has_receiver ? apply_module(context) : single_exit(context, result);
      return true;
    case Effect::kModuleMove:
      result = has_receiver ? after_move(context) : result;
      break;
    case Effect::kMakeModule:
      result = make_plain_module(context);
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
      if (receiver != kNoObject) note_exposed(context, receiver);
      if (receiver != kNoObject && context.call().name.ends_with("buffers"))
        result.number = Value::kBuffers;
      break;
    case Effect::kSwitchMode:
      if (has_receiver) notify_module(context, ModuleAction::kSwitched);
      if (receiver != kNoObject) set_mode(context, receiver);
      break;
    default:
      return false;
  }
  exits = single_exit(context, result);
  return true;
}

}  // namespace placecheck::dataflow
