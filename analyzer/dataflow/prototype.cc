#include "analyzer/dataflow/prototype.h"

#include "analyzer/dataflow/activation.h"

namespace placecheck::dataflow {
namespace {

// The constructor that every object of the class has gone through; null if there are several.
const ir::Function* only_constructor(const ir::Program& program, const ir::Class& type) {
  const ir::Function* found = nullptr;
  for (const ir::Method& method : type.methods) {
    if (!method.is_constructor) continue;
    if (found) return nullptr;
    found = program.find_function(method.key, program.unit_of(type));
    if (!found) return nullptr;
  }
  return found;
}

bool is_sequence(const Object& object, const Names& names) {
  return object.is_module() && !object.type &&
         names.text(object.type_name) == "torch::nn::SequentialImpl";
}

}  // namespace

const Prototype* Engine::prototype_of(const ir::Class& type) {
  auto [at, is_new] = prototypes_.try_emplace(&type);
  if (!is_new) return at->second.get();  // none yet while that constructor runs
  const ir::Function* constructor = only_constructor(program_.program(), type);
  if (!constructor) return nullptr;
  auto prototype = std::make_unique<Prototype>();
  State& state = prototype->state;
  Object module;
  module.kind = ObjectKind::kModule;
  module.type = &type;
  module.type_name = names_.intern(type.name);
  prototype->module = state.object_count();
  state.put(prototype->module, std::move(module));
  std::vector<Value> arguments = unknown_arguments(*constructor, state, 1);
  arguments.insert(arguments.begin(), Value::object_ref(prototype->module));
  Entry entry = entry_of(*constructor, state, arguments);
  const Summary* summary = summarize(*constructor, entry);
  // Where it ends in several ways, so may the modules differ.
  if (!summary || summary->exits.size() != 1) return nullptr;
  const Exit& exit = summary->exits.front();
  const ObjectId made = state.object_count();
  apply_exit(state, entry, exit.state, exit.value, exit.made, names_,
             [&](uint32_t k) { return made + k; });
  return (prototypes_[&type] = std::move(prototype)).get();
}

void Activation::adopt_children(State& state, ObjectId sequence, const State& from, ObjectId like,
                                const std::function<ObjectId()>& allocate) {
  const Object& model = from.object(like);
  if (!is_sequence(state.object(sequence), names()) || !is_sequence(model, names())) return;
  std::vector<Registered> children;
  for (const Registered& each : model.registered) {
    ObjectId id = from.object_id_of(each.value);
    if (!each.either.empty() || id == kNoObject || !from.object(id).is_module()) return;
    const Object& child = from.object(id);
    const std::string& class_name = child.type ? child.type->key : names().text(child.type_name);
    Name whole = state.object(sequence).symbol;
    Name label = names().derive(names().text(each.name) + "#" + names().text(whole), {whole});
    Value value =
        engine_.symbolic({ir::TypeKind::kModule, class_name, {}}, label, state, allocate, unit());
    move_along(state, sequence, value.object);
    adopt_children(state, value.object, from, id, allocate);
    children.push_back({each.name, RegisteredKind::kModule, value, {}});
  }
  state.edit(sequence).registered = std::move(children);
}

void Activation::follow_prototype(State& state, ObjectId sequence, const ir::Class& owner,
                                  Name member, const void* site) {
  if (!is_sequence(state.object(sequence), names())) return;
  const Prototype* prototype = engine_.prototype_of(owner);
  const Value* like = prototype ? prototype->state.object(prototype->module).find(member) : nullptr;
  ObjectId id = like ? prototype->state.object_id_of(*like) : kNoObject;
  uint32_t made = 1;  // the sequence itself is the first
  auto allocate_next = [&] { return allocate(site, made++); };
  if (id != kNoObject) adopt_children(state, sequence, prototype->state, id, allocate_next);
}

}  // namespace placecheck::dataflow
