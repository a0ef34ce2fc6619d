// Data sets and loaders, and what loops run over.
#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/new_thread.h"
#include "analyzer/dataflow/scalars.h"

namespace placecheck::dataflow {
namespace {

using models::Effect;

constexpr std::string_view kMapped = "a mapped data set";
constexpr std::string_view kLoader = "a data loader";
constexpr std::string_view kBatchSize = "batch_size";
constexpr std::string_view kFunction = "function";
constexpr std::string_view kTransform = "transform";
constexpr std::string_view kWorkers = "workers";

// `source` where the object wraps another one.
Value wrapper(CallContext& context, std::string_view type_name, const Value& source) {
  Object object = context.library_object(type_name);
  object.set(context.name("source"), source);
  if (context.call().name.ends_with("::map") && context.count() > 1) {
    object.set(context.name(kTransform), context.read(1));
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

// Of how many examples a loader's batches are, unless it says one: several.
Rank rank_of_batches(CallContext& context, const Value& source) {
  const Object* loader = context.state.object_of(source);
  const Value* size = loader ? loader->find(context.name(kBatchSize)) : nullptr;
  bool is_one = !size || (size->is(ValueKind::kInt) && size->number <= 1);
  return is_one ? Rank::kNonScalar : Rank::kBatch;
}

// What has been stacked from examples has a dimension more: at least one.
void mark_stacked(CallContext& context, const Value& example, Rank rank) {
  ObjectId id = context.state.object_id_of(example);
  if (id == kNoObject) return;
  Object& object = context.state.edit(id);
  for (auto& [name, value] : object.fields) {
    if (value.is_tensor()) value.rank = rank;
  }
  for (Value& value : object.elements) {
    if (value.is_tensor()) value.rank = rank;
  }
}

bool is_dataset_name(const std::string& name) {
  return name.starts_with("torch::data::datasets::");
}

// The value in the shape that the loop variable has: one example, or a list of them.
Value shaped(CallContext& context, const Value& example, Rank rank) {
  bool wants_list = context.call().type.kind == ir::TypeKind::kContainer;
  const Object* object = context.state.object_of(example);
  bool is_list = object && object->kind == ObjectKind::kContainer;
  if (wants_list && !is_list) return context.make(open_list(example), 701);
  if (wants_list) return example;
  const Value batch =
      is_list ? context.state.read(Value::address(example.object, Value::kSomeElement)) : example;
  mark_stacked(context, batch, rank);
  return batch;
}

// The mean and the deviation of the library's Normalize are on the CPU.
void normalize(CallContext& context, const Value& example) {
  const Object* object = context.state.object_of(example);
  const Value* field = object ? object->find(context.name("data")) : nullptr;
  const models::Operator* subtraction = models::find_operator("sub");
  const Value data = context.state.read(field ? *field : example);
  if (!subtraction) return;
  std::vector<Operand> operands =
      operands_of_pair(context, data, Value::tensor(Place::cpu(), Rank::kNonScalar));
  if (!operands.empty())
    combine(context, "sub", subtraction->device_rule, std::move(operands), Rank::kUnknown);
}

// The library's transforms that are given a function.
bool is_given_function(std::string_view name) {
  return name.starts_with("torch::data::transforms::") && name.ends_with("Lambda");
}

// Lambda takes an example, TensorLambda its tensor, and BatchLambda all of a batch.
Exits transformed_by_function(CallContext& context, const Value& example, const Value& function,
                              std::string_view name) {
  const ObjectId id = context.state.object_id_of(example);
  const Object* object = context.state.object_of(example);
  const bool is_list = object && object->kind == ObjectKind::kContainer;
  const Value* data = object ? object->find(context.name("data")) : nullptr;
  const bool takes_tensor = name.ends_with("TensorLambda") && data;
  Value input = takes_tensor ? *data : example;
  if (name.ends_with("BatchLambda") && !is_list) input = context.make(open_list(example), 705);
  const std::vector<Value> arguments{function, input};
  CallContext step{context.activation, context.state, context.instruction, arguments};
  Exits exits;
  if (!call_function_value(step, exits, 0)) return single_exit(context, Value::unknown());
  for (Exit& exit : exits) {
    exit.value = exit.state.read(exit.value);
    if (!takes_tensor || !exit.state.has(id)) continue;
    exit.state.edit(id).set(context.name("data"), exit.value);
    exit.value = example;
  }
  return exits;
}

// An example after one transform. The library's own keep the place; the project's are run.
Exits transformed(CallContext& context, const Value& example, const Value& transform) {
  Activation& activation = context.activation;
  const Object* object = context.state.object_of(transform);
  bool is_library = object && !object->type && object->kind == ObjectKind::kLibrary;
  std::string name = object ? activation.names().text(object->type_name) : "";
  const Value* function = object ? object->find(context.name(kFunction)) : nullptr;
  if (function) return transformed_by_function(context, example, Value(*function), name);
  bool is_lambda = name.ends_with("Lambda") || (object && object->kind == ObjectKind::kClosure);
  if (name == "torch::data::transforms::Normalize") normalize(context, example);
  if (is_library && !is_lambda) return single_exit(context, example);
  if (!object || !object->type) return single_exit(context, Value::unknown());
  const ir::Function* on_tensor = activation.program().find_method(*object->type, "operator()", 1);
  const ir::Function* on_example = activation.program().find_method(*object->type, "apply", 1);
  ObjectId id = context.state.object_id_of(example);
  if (on_tensor && id != kNoObject) {
    const Value* data = context.state.object(id).find(context.name("data"));
    Value input = data ? *data : Value::unknown();
    Exits exits =
        activation.invoke(*on_tensor, {transform, input}, context.state, context.instruction);
    for (Exit& exit : exits) {
      if (exit.state.has(id))
        exit.state.edit(id).set(context.name("data"), exit.state.read(exit.value));
      exit.value = example;
    }
    return exits;
  }
  if (on_example)
    return activation.invoke(*on_example, {transform, example}, context.state, context.instruction);
  // A collation, of as many examples as a batch has.
  if (const ir::Function* on_batch =
          activation.program().find_method(*object->type, "apply_batch", 1)) {
    bool is_list = id != kNoObject && context.state.object(id).kind == ObjectKind::kContainer;
    Value batch = is_list ? example : context.make(open_list(example), 704);
    return activation.invoke(*on_batch, {transform, batch}, context.state, context.instruction);
  }
  return single_exit(context, Value::unknown());
}

// Whether a class of the project has anything to do with devices: then what it yields may be
// anywhere.
bool mentions_devices(CallContext& context, const ir::Class& type) {
  for (const ir::Field& field : type.fields) {
    bool placed = field.type.kind == ir::TypeKind::kDevice ||
                  field.type.kind == ir::TypeKind::kModule ||
                  field.type.kind == ir::TypeKind::kOptions;
    if (placed) return true;
  }
  for (const ir::Method& method : type.methods) {
    const ir::Function* function =
        context.activation.program().find_function(method.key, context.activation.unit());
    if (!function) continue;
    for (const ir::Block& block : function->blocks) {
      for (const ir::Instruction& instruction : block.instructions) {
        bool moves = instruction.opcode == ir::Opcode::kCall &&
                     models::find_effect(instruction.call.name) == Effect::kToCuda;
        const auto* device = std::get_if<ir::DeviceLiteral>(&instruction.literal);
        if (moves || (device && device->text != "cpu")) return true;
      }
    }
  }
  return false;
}

// A data set that never speaks of a device yields what was read and decoded: on the CPU, even where
// the calls that did so are not known.
void settle_unknown_places(CallContext& context, Value& example) {
  auto settle = [&](Value& value) {
    bool open = value.is(ValueKind::kUnknown) ||
                (value.is_tensor() && value.place.kind == PlaceKind::kUnknown);
    if (!open) return;
    value = Value::tensor(Place::cpu(), Rank::kUnknown);
    value.origin = context.origin(OriginKind::kYielded);
  };
  ObjectId id = context.state.object_id_of(example);
  bool is_example =
      id != kNoObject &&
      context.activation.names().text(context.state.object(id).type_name) == "torch::data::Example";
  if (is_example) {
    for (auto& [name, value] : context.state.edit(id).fields) settle(value);
  } else if (example.is(ValueKind::kUnknown)) {
    Value tensor = Value::unknown();
    settle(tensor);
    example = example_at(context, tensor, 703);
  }
}

// One element of the data set that is not a wrapper; `transforms` are those of the wrappers,
// outermost first.
Exits source_element(CallContext& context, const Value& dataset, std::vector<Value>& transforms) {
  Activation& activation = context.activation;
  Value current = dataset;
  for (int hops = 0; hops < 12; ++hops) {
    const Object* object = context.state.object_of(current);
    if (!object) break;
    if (const Value* transform = object->find(context.name(kTransform)))
      transforms.push_back(*transform);
    if (const Value* source = object->find(context.name("source"))) {
      current = *source;
      continue;
    }
    for (const char* method : {"get", "get_batch"}) {
      const ir::Function* get =
          object->type ? activation.program().find_method(*object->type, method, 1) : nullptr;
      if (!get) continue;
      Value index = activation.fresh_symbol(context.instruction, context.state);
      const ir::Class& type = *object->type;
      Exits exits = activation.invoke(*get, {current, index}, context.state, context.instruction);
      for (Exit& exit : exits) {
        CallContext after{activation, exit.state, context.instruction, context.arguments};
        exit.value = exit.state.read(exit.value);
        if (!mentions_devices(context, type)) settle_unknown_places(after, exit.value);
      }
      return exits;
    }
    if (!object->type && is_dataset_name(activation.names().text(object->type_name))) {
      Value tensor = Value::tensor(Place::cpu(), Rank::kNonScalar);
      tensor.origin = context.origin(OriginKind::kYielded);
      return single_exit(context, example_at(context, tensor, 700));
    }
    break;
  }
  return single_exit(context, Value::unknown());
}

}  // namespace

Value unknown_element(CallContext& context) {
  return context.activation.symbolic(context.call().type, context.name("an element"), context.state,
                                     &context.instruction);
}

bool is_loader(const Object& object, const Names& names) {
  const std::string& name = names.text(object.type_name);
  return object.kind == ObjectKind::kLibrary &&
         (name == kLoader || name == kMapped || is_dataset_name(name));
}

// In the thread at hand.
static Exits element_here(CallContext& context, const Value& dataset) {
  std::vector<Value> transforms;
  Rank rank = rank_of_batches(context, dataset);
  Exits exits = source_element(context, dataset, transforms);
  for (size_t i = transforms.size(); i-- > 0;) {
    Exits next;
    for (Exit& exit : exits) {
      CallContext step{context.activation, exit.state, context.instruction, context.arguments};
      Value example = exit.state.read(exit.value);
      for (Exit& result : transformed(step, example, transforms[i]))
        next.push_back(std::move(result));
    }
    exits = std::move(next);
  }
  for (Exit& exit : exits) {
    CallContext after{context.activation, exit.state, context.instruction, context.arguments};
    Value element = exit.state.read(exit.value);
    bool known = exit.state.object_of(element) != nullptr || element.is_tensor();
    exit.value = known ? shaped(after, element, rank) : unknown_element(after);
  }
  return exits;
}

static bool has_workers(CallContext& context, const Value& dataset) {
  const Object* loader = context.state.object_of(dataset);
  const Value* workers = loader ? loader->find(context.name(kWorkers)) : nullptr;
  return workers && workers->is(ValueKind::kInt) && workers->number > 0;
}

// One element of a data set, in the shape in which a loop sees it. A loader's workers are threads,
// in which no device was selected.
Exits dataset_element(CallContext& context, const Value& dataset) {
  if (!has_workers(context, dataset)) return element_here(context, dataset);
  return run_in_new_thread(context, [&] { return element_here(context, dataset); });
}

bool data_effect(CallContext& context, Effect effect, Value& result) {
  if (effect == Effect::kMakeLoaderOptions) {
    Object options = context.library_object(context.call().name);
    options.set(context.name(kBatchSize), context.count() ? context.read(0) : Value::integer(1));
    result = context.make(std::move(options));
    return true;
  }
  if (effect != Effect::kMakeLoader || context.count() == 0) return false;
  Value size = context.count() > 1 ? context.read(1) : Value::unknown();
  Value workers = Value::none();
  if (const Object* options = context.state.object_of(size)) {
    if (const Value* field = options->find(context.name(kWorkers))) workers = *field;
    const Value* field = options->find(context.name(kBatchSize));
    size = field ? *field : Value::integer(1);
  }
  result = wrapper(context, kLoader, context.read(0));
  Object& loader = context.state.edit(result.object);
  loader.set(context.name(kWorkers), workers);
  if (context.count() > 1) loader.set(context.name(kBatchSize), size);
  return true;
}

bool dataset_call(CallContext& context, Value& result) {
  const std::string& name = context.call().name;
  if (!name.starts_with("torch::data::")) return false;
  if (context.call().kind == ir::CallKind::kConstruct && is_dataset_name(name)) {
    Object dataset = context.library_object(name);
    result = context.make(std::move(dataset));
    return true;
  }
  if (context.call().kind == ir::CallKind::kConstruct && is_given_function(name) &&
      context.count() == 1) {
    Object transform = context.library_object(name);
    transform.set(context.name(kFunction), context.read(0));
    result = context.make(std::move(transform));
    return true;
  }
  // A transform applied by hand: what it returns is where its argument is.
  bool transforms = name.starts_with("torch::data::transforms::");
  if (transforms && name.ends_with("::operator()") && context.count() == 2) {
    result = context.state.decider_of(context.arguments[1]);
    return result.is_tensor();
  }
  // An example without a target stands for its data.
  if (name.starts_with("torch::data::Example::operator ") && context.count() > 0) {
    result = context.activation.field_address(context.state, context.arguments[0], "data");
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
