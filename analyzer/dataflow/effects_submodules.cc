// The modules within a module: listed, visited, and told apart by their classes.
#include <algorithm>
#include <iterator>
#include <set>

#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/optimizers.h"
#include "analyzer/models/libraries/python_names.h"

namespace placecheck::dataflow {
namespace {

using models::Effect;

// Nothing where the module is certainly not of the class that a checked cast asks for.
Value cast_module(CallContext& context) {
  const Object* module = context.state.object_of(context.arguments[0]);
  const std::string& wanted = context.call().type.name;
  bool is_exact = module && module->is_module() && module->complete && !module->may_be_null;
  if (!is_exact || wanted == "torch::nn::Module" || wanted == "torch::nn::Cloneable")
    return context.arguments[0];
  bool fits = module->type
                  ? module->type->key == wanted ||
                        context.activation.program().derives_from(*module->type, wanted)
                  : context.activation.names().text(module->type_name) ==
                        wanted.substr(0, wanted.rfind('@'));  // the project may hold the class
  return fits ? context.arguments[0] : Value::none();
}

struct NamedModule {
  std::string name;  // with the names of the modules around it
  Value module;
};

// The registered modules, with theirs where all are asked for. False where one is not known, or
// where there are too many to look at each.
bool modules_within(const State& state, const Names& names, ObjectId module, bool all,
                    const std::string& prefix, std::vector<NamedModule>& found) {
  const Object& object = state.object(module);
  if (!object.is_module() || !object.complete) return false;
  for (const Registered& entry : object.registered) {
    if (entry.kind != RegisteredKind::kModule) continue;
    Value child = state.read(entry.value);
    if (child.is(ValueKind::kNone)) continue;
    ObjectId id = state.object_id_of(child);
    if (id == kNoObject || !entry.either.empty() || found.size() >= kMostTurns) return false;
    const std::string name = prefix + names.text(entry.name);
    found.push_back({name, Value::object_ref(id)});
    if (all && !modules_within(state, names, id, all, name + ".", found)) return false;
  }
  return true;
}

// children(), modules(include_self), named_children(), named_modules(prefix, include_self).
Value list_modules(CallContext& context) {
  ObjectId module = context.state.object_id_of(context.arguments[0]);
  if (module != kNoObject) note_exposed(context, module);
  const std::string_view method = ir::last_component(context.call().name);
  const bool all = method.ends_with("modules"), are_named = method.starts_with("named_");
  const size_t place_of_flag = are_named ? 2 : 1;
  Value with_itself =
      all && context.count() > place_of_flag ? context.read(place_of_flag) : Value::boolean(all);
  const std::optional<std::string> prefix =
      are_named && context.count() > 1 ? context.text(context.read(1)) : std::string();
  Object list;
  list.kind = ObjectKind::kContainer;
  if (module != kNoObject && is_network(context, module)) {
    list.rest = part_of_network(context, module);
    list.open = true;
    return context.make(std::move(list));
  }
  std::vector<NamedModule> found;
  if (with_itself.is(ValueKind::kBool) && with_itself.number != 0)
    found.push_back({prefix.value_or(""), Value::object_ref(module)});
  const std::string above = prefix.value_or("").empty() ? "" : *prefix + ".";
  Names& names = context.activation.names();
  bool known = module != kNoObject && with_itself.is(ValueKind::kBool) && prefix &&
               modules_within(context.state, names, module, all, above, found);
  for (const NamedModule& each : found) {
    list.elements.push_back(each.module);
    if (are_named) list.keys.push_back(Value::string(names.intern(each.name)));
  }
  const Name owner = context.name(all ? kModulesOf : kChildrenOf);
  list.set(owner, Value::parameters(module));
  if (known) return context.make(std::move(list));
  const Value unknown = context.activation.symbolic(
      context.call().type, context.name(context.call().name), context.state, &context.instruction);
  const ObjectId id = context.state.object_id_of(unknown);
  if (module != kNoObject && id != kNoObject && above.empty())
    context.state.edit(id).set(owner, Value::parameters(module));
  return unknown;
}

// The keys of a ModuleDict, or its pairs of a key and a module.
Value list_entries(CallContext& context) {
  const Object* table = context.state.object_of(context.arguments[0]);
  if (!table || !table->is_module() || !table->complete) return Value::unknown();
  const bool are_pairs = ir::last_component(context.call().name) == "items";
  Object list;
  list.kind = ObjectKind::kContainer;
  uint32_t ordinal = 0;
  for (const Registered& entry : std::vector<Registered>(table->registered)) {
    const Value key = Value::string(entry.name);
    Object pair;
    pair.kind = ObjectKind::kTuple;
    pair.elements = {key, entry.value};
    list.elements.push_back(are_pairs ? context.make(std::move(pair), ++ordinal) : key);
  }
  return context.make(std::move(list));
}

Value has_entry(CallContext& context) {
  const Object* table = context.state.object_of(context.arguments[0]);
  const Value key = context.read(1);
  if (!table || !table->is_module() || !table->complete || !key.is(ValueKind::kString))
    return context.activation.fresh_symbol(context.instruction, context.state);
  return Value::boolean(table->find_registered(key.name) != nullptr);
}

// apply(): the callable is run on each module, or at least on the whole.
void visit_modules(CallContext& context) {
  ObjectId module = context.state.object_id_of(context.arguments[0]);
  if (module == kNoObject || context.count() < 2) return;
  std::vector<NamedModule> visited;
  if (!modules_within(context.state, context.activation.names(), module, true, "", visited))
    visited.clear();
  visited.push_back({"", Value::object_ref(module)});
  for (const NamedModule& each : visited) {
    std::vector<Value> call{context.arguments[1], each.module};
    CallContext step{context.activation, context.state, context.instruction, call};
    Exits exits = apply_module(step);
    if (!exits.empty()) context.state = std::move(exits.front().state);
  }
}

// clone([device]): another module of the same class, on that device or where the first one is.
Value clone_module(CallContext& context) {
  ObjectId original = context.state.object_id_of(context.arguments[0]);
  if (original == kNoObject) return context.read(0);
  const Value device = context.read(1);
  std::optional<Place> place = named_place(context, device);
  if (!place && !device.is(ValueKind::kNone)) place = Place::unknown();
  const Value copy = clone_of(context, original, place);
  note_copy(context, original, copy.object);
  return copy;
}

}  // namespace

std::set<ObjectId> modules_below(const State& state, ObjectId root) {
  std::set<ObjectId> modules;
  std::vector<ObjectId> work{root};
  while (!work.empty()) {
    ObjectId id = work.back();
    work.pop_back();
    if (!state.has(id) || !state.object(id).is_module() || !modules.insert(id).second) continue;
    for (const Registered& entry : state.object(id).registered)
      work.push_back(state.object_id_of(entry.value));
  }
  return modules;
}

bool derives_from_network(Activation& activation, const ir::Class& type) {
  return type.is_module &&
         std::ranges::any_of(activation.program().bases_of(type), models::is_network_class);
}

bool is_network(CallContext& context, ObjectId module) {
  const Object& object = context.state.object(module);
  if (!object.is_module()) return false;
  if (object.type) return derives_from_network(context.activation, *object.type);
  return context.activation.names().text(object.type_name).starts_with("torch::jit::");
}

bool names_part_of_network(std::string_view name) {
  static constexpr std::string_view kParts[] = {"bn1",    "classifier", "conv1",  "encoder",
                                                "fc",     "features",   "head",   "heads",
                                                "layer1", "layer2",     "layer3", "layer4"};
  return std::ranges::find(kParts, name) != std::end(kParts);
}

bool names_stateless_part(std::string_view name) {
  return name == "avgpool" || name == "maxpool" || name == "relu";
}

Value part_of_network(CallContext& context, ObjectId network) {
  const Object& whole = context.state.object(network);
  Object part;
  part.kind = ObjectKind::kModule;
  part.type_name = context.name("torch::jit::Module");
  part.complete = whole.complete;
  part.symbol = whole.symbol;
  part.moved = whole.moved;
  part.moved_to = whole.moved_to;
  part.origin = whole.origin;
  const Name state = context.name(kModuleState);
  std::ranges::copy_if(whole.registered, std::back_inserter(part.registered),
                       [&](const Registered& each) {
                         return each.name == state && each.kind == RegisteredKind::kParameter;
                       });
  return context.make(std::move(part), 989);
}

Value part_of_network(CallContext& context, ObjectId network, Name name) {
  if (const Registered* known = context.state.object(network).find_registered(name))
    return known->value;
  const Value part = part_of_network(context, network);
  for (Registered& each : context.state.edit(part.object).registered) {
    Object cell = context.state.object(each.value.place.symbol);
    each.value.place = Place::cell(context.make(std::move(cell), 986).object);
  }
  context.state.edit(network).registered.push_back({name, RegisteredKind::kModule, part, {}});
  return part;
}

Value stateless_part_of_network(CallContext& context, ObjectId network, Name name) {
  if (const Registered* known = context.state.object(network).find_registered(name))
    return known->value;
  const Value part = make_library_module(context, "torch::nn::IdentityImpl");
  context.state.edit(network).registered.push_back({name, RegisteredKind::kModule, part, {}});
  return part;
}

void forget_rest_of_networks(CallContext& context, ObjectId moved) {
  State& state = context.state;
  const std::set<ObjectId> modules = modules_below(state, moved);
  for (ObjectId id = 0; id < state.object_count(); ++id) {
    if (!state.has(id) || modules.contains(id)) continue;
    const Object& network = state.object(id);
    const bool has_moved_part = std::ranges::any_of(network.registered, [&](const auto& each) {
      return each.value.is_object() && modules.contains(each.value.object);
    });
    if (!has_moved_part || !is_network(context, id)) continue;
    const Registered* rest = network.find_registered(context.name(kModuleState));
    if (rest && rest->value.place.kind == PlaceKind::kCell)
      state.edit(rest->value.place.symbol).elements[0].place = Place::unknown();
  }
}

bool submodule_effect(CallContext& context, Effect effect, Value& result) {
  bool has_receiver = context.count() > 0;
  result = Value::unknown();
  switch (effect) {
    case Effect::kCloneModule:
      if (has_receiver) result = clone_module(context);
      return true;
    case Effect::kCastModule:
      if (has_receiver) result = cast_module(context);
      return true;
    case Effect::kModulesWithin:
      if (has_receiver) result = list_modules(context);
      return true;
    case Effect::kModuleEntries:
      if (has_receiver) result = list_entries(context);
      return true;
    case Effect::kHasModule:
      if (has_receiver) result = has_entry(context);
      return true;
    case Effect::kVisitModules:
      if (has_receiver) visit_modules(context);
      return true;
    default:
      return false;
  }
}

}  // namespace placecheck::dataflow
