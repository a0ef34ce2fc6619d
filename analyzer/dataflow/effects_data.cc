// Data sets and loaders, and what loops run over.
#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/scalars.h"

namespace placecheck::dataflow {
namespace {

using models::Effect;

constexpr std::string_view kMapped = "a mapped data set";
constexpr std::string_view kLoader = "a data loader";

// `source` where the object wraps another one.
Value wrapper(CallContext& context, std::string_view type_name, const Value& source) {
  Object object;
  object.kind = ObjectKind::kLibrary;
  object.type_name = context.name(type_name);
  object.set(context.name("source"), source);
  if (context.call().name.ends_with("::map") && context.count() > 1) {
    const Object* transform = context.state.object_of(context.arguments[1]);
    bool own = transform && (transform->type || transform->kind == ObjectKind::kClosure);
    object.set(context.name("own transform"), Value::boolean(own));
  }
  return context.make(std::move(object));
}

// A record of a batch or an example with its tensors at one place.
Value example_at(CallContext& context, const Value& tensor, uint32_t ordinal) {
  Object example;
  example.kind = ObjectKind::kRecord;
  example.type_name = context.name("torch::data::Example");
  example.set(context.name("data"), tensor);
  example.set(context.name("target"), tensor);
  return context.make(std::move(example), ordinal);
}

Value list_of(CallContext& context, const Value& element, uint32_t ordinal) {
  Object list;
  list.kind = ObjectKind::kContainer;
  list.open = true;
  list.rest = element;
  return context.make(std::move(list), ordinal);
}

// What has been stacked from examples has a dimension more: at least one.
void mark_stacked(CallContext& context, const Value& example) {
  ObjectId id = context.state.object_id_of(example);
  if (id == kNoObject) return;
  Object& object = context.state.edit(id);
  for (auto& [name, value] : object.fields) {
    if (value.is_tensor()) value.rank = Rank::kNonScalar;
  }
  for (Value& value : object.elements) {
    if (value.is_tensor()) value.rank = Rank::kNonScalar;
  }
}

bool is_dataset_name(const std::string& name) {
  return name.starts_with("torch::data::datasets::");
}

// The value in the shape that the loop variable has: one example, or a list of them.
Value shaped(CallContext& context, const Value& example) {
  bool wants_list = context.call().type.kind == ir::TypeKind::kContainer;
  const Object* object = context.state.object_of(example);
  bool is_list = object && object->kind == ObjectKind::kContainer;
  if (wants_list && !is_list) return list_of(context, example, 701);
  if (!wants_list && is_list)
    return context.state.read(Value::address(example.object, Value::kSomeElement));
  if (!wants_list) mark_stacked(context, example);
  return example;
}

Value unknown_element(CallContext& context) {
  return context.activation.symbolic(context.call().type, "an element", context.state,
                                     &context.instruction);
}

// One element of a data set, through what wraps it.
Exits dataset_element(CallContext& context, const Value& dataset) {
  Activation& activation = context.activation;
  Value current = dataset;
  for (int hops = 0; hops < 8; ++hops) {
    const Object* object = context.state.object_of(current);
    if (!object) break;
    const Value* transform = object->find(context.name("own transform"));
    if (transform && transform->number != 0) break;
    if (const Value* source = object->find(context.name("source"))) {
      current = *source;
      continue;
    }
    if (object->type) {
      for (const char* method : {"get", "get_batch"}) {
        const ir::Function* get = activation.program().find_method(*object->type, method, 1);
        if (!get) continue;
        Value index = activation.fresh_symbol(context.instruction, context.state);
        Exits exits = activation.invoke(*get, {current, index}, context.state, context.instruction);
        for (Exit& exit : exits) {
          CallContext after{activation, exit.state, context.instruction, context.arguments};
          exit.value = shaped(after, after.state.read(exit.value));
        }
        return exits;
      }
      break;
    }
    if (is_dataset_name(activation.names().text(object->type_name))) {
      Value tensor = Value::tensor(Place::cpu(), Rank::kNonScalar);
      tensor.origin = context.origin(OriginKind::kYielded);
      return single_exit(context, shaped(context, example_at(context, tensor, 700)));
    }
    break;
  }
  Value unknown = unknown_element(context);
  return single_exit(context, unknown);
}

bool is_loader(const Object& object, const Names& names) {
  const std::string& name = names.text(object.type_name);
  return object.kind == ObjectKind::kLibrary &&
         (name == kLoader || name == kMapped || is_dataset_name(name));
}

}  // namespace

Exits loop_element(CallContext& context) {
  if (context.count() == 0) return single_exit(context, unknown_element(context));
  const Value range = context.arguments[0];
  Value direct = context.state.read(range);
  if (direct.is(ValueKind::kParameters)) {
    Value parameter = parameter_of(context.activation, context.state, direct.object);
    return single_exit(context, parameter);
  }
  if (direct.is_tensor()) {
    Value element = direct;
    element.rank = Rank::kUnknown;
    return single_exit(context, element);
  }
  const Object* object = context.state.object_of(range);
  if (!object) return single_exit(context, unknown_element(context));
  if (is_loader(*object, context.activation.names())) return dataset_element(context, direct);
  ObjectId id = context.state.object_id_of(range);
  if (object->is_module() && !object->registered.empty()) {
    Value child = object->registered[0].value;
    for (const Registered& entry : object->registered) child = join(child, entry.value, 0);
    return single_exit(context, child);
  }
  bool is_map = !object->keys.empty();
  if (object->kind != ObjectKind::kContainer && object->kind != ObjectKind::kTuple) {
    return single_exit(context, unknown_element(context));
  }
  Value element = Value::address(id, Value::kEachElement);
  if (is_map) {
    // A key and a value.
    Object pair;
    pair.kind = ObjectKind::kTuple;
    pair.elements = {Value::unknown(), context.state.read(element)};
    element = context.make(std::move(pair), 702);
  } else if (object->elements.size() == 1 && !object->open) {
    element = Value::address(id, 0);
  }
  return single_exit(context, element);
}

bool data_effect(CallContext& context, Effect effect, Value& result) {
  if (effect != Effect::kMakeLoader || context.count() == 0) return false;
  result = wrapper(context, kLoader, context.read(0));
  return true;
}

bool dataset_call(CallContext& context, Value& result) {
  const std::string& name = context.call().name;
  if (!name.starts_with("torch::data::")) return false;
  if (context.call().kind == ir::CallKind::kConstruct && is_dataset_name(name)) {
    Object dataset;
    dataset.kind = ObjectKind::kLibrary;
    dataset.type_name = context.name(name);
    result = context.make(std::move(dataset));
    return true;
  }
  if (name.ends_with("::map") && context.count() > 0) {
    result = wrapper(context, kMapped, context.read(0));
    return true;
  }
  if (name == "torch::data::Example" || name == "torch::data::Example::Example") {
    Object example;
    example.kind = ObjectKind::kRecord;
    example.type_name = context.name("torch::data::Example");
    const char* const fields[] = {"data", "target"};
    for (size_t i = 0; i < context.count() && i < 2; ++i)
      example.set(context.name(fields[i]), context.read(i));
    result = context.make(std::move(example));
    return true;
  }
  return false;
}

}  // namespace placecheck::dataflow
