// Data loaders, and the batches that they make of what their data sets have.
#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/scalars.h"
#include "analyzer/ir/walk.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kVisionDatasets = "torchvision.datasets.";
constexpr std::string_view kLoader = "torch.utils.data.DataLoader";
constexpr std::string_view kTensors = "torch.utils.data.TensorDataset";

// A batch: what the data set has for an index, with numbers and arrays made tensors.
Value collated(CallContext& context, const Value& item, Rank rank, bool is_pinned, int depth,
               uint32_t& made) {
  Value direct = context.state.read(item);
  if (direct.is_tensor()) {
    if (is_pinned) note_host_operand(context, direct, ir::Range(), "pin_memory");
    Value tensor = context.state.decider_of(direct);
    tensor.rank = rank;
    return tensor;
  }
  const Object* object = context.state.object_of(direct);
  if (object && is_list(*object) && depth < 4) {
    Object copy = *object;
    for (Value& each : copy.elements)
      each = collated(context, each, rank, is_pinned, depth + 1, made);
    if (copy.open) copy.rest = collated(context, copy.rest, rank, is_pinned, depth + 1, made);
    if (copy.fields.empty()) copy.set(context.name(kOfBatch), Value::boolean(true));
    return context.make(std::move(copy), 900 + made++);
  }
  bool is_number =
      direct.is(ValueKind::kInt) || direct.is(ValueKind::kBool) || direct.is(ValueKind::kSymbol);
  if (!is_number) return Value::unknown();
  // The numbers become a tensor on the default device, if that is done in this process.
  const Place place = has_default_device(context) ? Place::unknown() : Place::cpu();
  Value tensor = Value::tensor(place, rank);
  tensor.origin = context.origin(OriginKind::kYielded);
  return tensor;
}

// One example or several: a loader makes batches of one unless it is told otherwise.
Rank rank_of_batches(CallContext& context, const Object& loader) {
  const Value* size = loader.find(context.name("batch_size"));
  bool is_one =
      !size || size->is(ValueKind::kNone) || (size->is(ValueKind::kInt) && size->number < 2);
  return is_one ? Rank::kNonScalar : Rank::kBatch;
}

// What a data set of torchvision has, as a batch.
Value image_and_target(CallContext& context) {
  Value tensor = Value::tensor(Place::cpu(), Rank::kNonScalar);
  tensor.origin = context.origin(OriginKind::kYielded);
  return make_list(context, {tensor, tensor}, ObjectKind::kTuple, 957);
}

// What the data set of a loader has for an index; unknown where that is not known. As a batch,
// what is a number there is a tensor.
Exits item_of(CallContext& context, const Value& dataset, bool in_batch) {
  Value source = context.state.read(dataset);
  const Object* object = context.state.object_of(source);
  if (object && object->type) {
    FoundMethod found = find_method(context.activation, *object->type, "__getitem__");
    if (!found.function && in_batch && is_vision_dataset(context.activation, *object->type))
      return one(context, image_and_target(context));
    if (!found.function || !found.how.empty()) return one(context, Value::unknown());
    Given index;
    index.add(unknown_scalar(context), {}, Given::kMade);
    return call_function(context, *found.function, {source}, index);
  }
  // A batch has the first example of a list, and all are alike where their number is not known.
  if (object && is_list(*object) && !object->is_map && !object->has_no_elements())
    return one(context, object->elements.empty() ? object->rest : object->elements[0]);
  std::optional<std::string> name;
  if (object && object->kind == ObjectKind::kLibrary)
    name = context.activation.names().text(object->type_name);
  if (in_batch && name && name->starts_with(kVisionDatasets))
    return one(context, image_and_target(context));
  if (name != kTensors || !object->complete) return one(context, Value::unknown());
  // Each tensor's examples, where that tensor is.
  std::vector<Value> parts;
  for (const Value& each : std::vector<Value>(object->elements)) {
    Value part = context.state.decider_of(each);
    part.rank = Rank::kUnknown;
    parts.push_back(part.is_tensor() ? part : Value::unknown());
  }
  return one(context, make_list(context, std::move(parts), ObjectKind::kTuple, 957));
}

// What a function of the program makes of a list of items. Where nothing is known of them, the
// tensors that it makes itself are known.
Exits collated_by(CallContext& context, const Value& function, Exits items) {
  Exits exits;
  for (Exit& item : items) {
    CallContext after{context.activation, item.state, context.instruction, context.arguments};
    Given list;
    list.add(after.make(open_list(item.value), 956), {}, Given::kMade);
    Exits made = call_value(after, function, list);
    std::ranges::move(made, std::back_inserter(exits));
  }
  return exits;
}

rules::Trait trait_of(const Value* value) {
  const bool is_known = value && (value->is(ValueKind::kBool) || value->is(ValueKind::kInt));
  if (!is_known) return rules::Trait::kUnknown;
  return value->number != 0 ? rules::Trait::kYes : rules::Trait::kNo;
}

// The attributes that a constructor of the class sets to its parameters as they are.
std::set<std::string> set_from_parameters(CallContext& context, const ir::Class& type) {
  std::set<std::string> attributes;
  for (const ir::Class* each : lookup_order(context.activation, type)) {
    const ir::Function* constructor = find_method(context.activation, *each, "__init__").function;
    if (!constructor) continue;
    ir::walk_instructions(*constructor, [&](const ir::Instruction& set, ir::InstructionPlace at) {
      if (set.call.name != "object.set" || set.call.arguments.size() != 3) return;
      const ir::Block& block = constructor->blocks[at.block];
      const ir::Instruction* name = ir::find_definition(block, set.call.arguments[1].value);
      const ir::Instruction* value = ir::find_definition(block, set.call.arguments[2].value);
      const auto* text = name ? std::get_if<std::string>(&name->literal) : nullptr;
      const bool is_parameter =
          value && value->opcode == ir::Opcode::kLoad &&
          std::ranges::find(constructor->parameters, value->symbol, &ir::Parameter::name) !=
              constructor->parameters.end();
      if (text && is_parameter) attributes.insert(*text);
    });
  }
  return attributes;
}

bool holds_unknown(const State& state, const Value& value) {
  const Value direct = state.read(value);
  if (direct.is(ValueKind::kUnknown)) return true;
  const Object* list = state.object_of(direct);
  if (!list || !is_list(*list)) return false;
  const auto is_unknown = [&](const Value& each) {
    return state.read(each).is(ValueKind::kUnknown);
  };
  return (list->open && is_unknown(list->rest)) || std::ranges::any_of(list->elements, is_unknown);
}

// Whether a function of the object's class, or the function that it is, may choose a device.
bool may_choose_device(CallContext& context, const Object& object) {
  ProgramIndex& program = context.activation.program();
  if (object.function && program.may_choose_device(*object.function)) return true;
  if (!object.type) return false;
  const std::vector<const ir::Class*> order = lookup_order(context.activation, *object.type);
  return std::ranges::any_of(order, [&](const ir::Class* each) {
    return std::ranges::any_of(each->methods, [&](const ir::Method& method) {
      const ir::Function* function =
          program.find_function(method.key, program.program().unit_of(*each));
      return function && program.may_choose_device(*function);
    });
  });
}

bool is_elsewhere(const State& state, const Value& value) {
  if (value.is(ValueKind::kDevice)) return true;
  return value.is_tensor() && !state.place_of(value).is_cpu();
}

// Whether all that the data set has is in the memory of the host: nothing that it holds is on a
// device or came to it without being known, and nothing in its code chooses one.
bool is_of_host_data(CallContext& context, const Value& dataset) {
  const ObjectId root = context.state.object_id_of(dataset);
  if (root == kNoObject || has_default_device(context)) return false;
  const ir::Class* type = context.state.object(root).type;
  if (!type || !find_method(context.activation, *type, "__getitem__").function) return false;
  for (const std::string& attribute : set_from_parameters(context, *type)) {
    const Value* kept = context.state.object(root).find(context.name(attribute));
    if (kept && holds_unknown(context.state, *kept)) return false;
  }
  for (const ObjectId id : reachable_from(context.state, root)) {
    const Object& object = context.state.object(id);
    bool is_placed = object.is_module() || may_choose_device(context, object);
    for_each_value(object,
                   [&](const Value& each) { is_placed |= is_elsewhere(context.state, each); });
    if (is_placed) return false;
  }
  return true;
}

LoaderFacts facts_of(CallContext& context, const Object& loader) {
  const Value* collates = loader.find(context.name("collates"));
  const Value* size = loader.find(context.name("batch_size"));
  const bool stacks = collates && collates->number == 0 && size && !size->is(ValueKind::kNone);
  const rules::Trait has_workers = trait_of(loader.find(context.name("num_workers")));
  const rules::Trait pins = trait_of(loader.find(context.name("pin_memory")));
  const Value* dataset = loader.find(context.name("dataset"));
  const bool yields_on_host = has_workers == rules::Trait::kYes || pins == rules::Trait::kYes ||
                              (stacks && dataset && is_of_host_data(context, *dataset));
  return {loader.origin, has_workers, pins, stacks, yields_on_host};
}

// All that is in a batch, known or not, is of that loader.
void note_loader(CallContext& context, const LoaderFacts& loader, Value& value, int depth) {
  const bool is_cell = value.place.kind == PlaceKind::kCell;
  if ((value.is_tensor() && !is_cell) || value.is(ValueKind::kUnknown)) {
    Origin origin;
    origin.kind = OriginKind::kYielded;
    origin.site = context.activation.site(context.instruction.range);
    if (value.origin != 0) origin = context.activation.origin_of(value.origin);
    origin.pinned = loader.pins;
    origin.loader = loader;
    value.origin = context.activation.add_origin(origin);
    return;
  }
  constexpr int kDeepest = 4;
  const ObjectId id = context.state.object_id_of(value);
  if (id == kNoObject || !is_list(context.state.object(id)) || depth > kDeepest) return;
  std::vector<Value> elements = context.state.object(id).elements;
  for (Value& each : elements) note_loader(context, loader, each, depth + 1);
  Value rest = context.state.object(id).rest;
  note_loader(context, loader, rest, depth + 1);
  Object& holder = context.state.edit(id);
  holder.elements = std::move(elements);
  holder.rest = rest;
}

Exits plain_batch_of(CallContext& context, const Object& loader) {
  const Value* dataset = loader.find(context.name("dataset"));
  const Value* collates = loader.find(context.name("collates"));
  const Value* function = loader.find(context.name("collate_fn"));
  bool is_collated = collates && collates->number != 0;
  if (function) {
    const Value collate = *function;
    return collated_by(
        context, collate,
        dataset ? item_of(context, Value(*dataset), false) : one(context, Value::unknown()));
  }
  if (!dataset || is_collated) return one(context, Value::unknown());
  uint32_t made = 0;
  Rank rank = rank_of_batches(context, loader);
  const Value* pins = loader.find(context.name("pin_memory"));
  const bool is_pinned = pins && pins->is(ValueKind::kBool) && pins->number != 0;
  Exits exits = item_of(context, Value(*dataset), true);
  for (Exit& exit : exits) {
    CallContext after{context.activation, exit.state, context.instruction, context.arguments};
    exit.value = collated(after, exit.value, rank, is_pinned, 0, made);
  }
  return exits;
}

// Whether the loader shuffles with a generator that it makes itself, on the CPU: see RandomSampler
// in torch/utils/data/sampler.py.
bool draws_order_itself(CallContext& context, const Given& given) {
  const std::optional<size_t> shuffle = given.find("shuffle", 2);
  if (!shuffle || given.is_open) return false;
  const Value shuffles = context.state.read(given.values[*shuffle]);
  return shuffles.is(ValueKind::kBool) && shuffles.number != 0;
}

}  // namespace

bool is_vision_dataset(Activation& activation, const ir::Class& type) {
  return derives_from_library(
      activation, type, [](std::string_view base) { return base.starts_with(kVisionDatasets); });
}

void make_base_dataset(CallContext& context, const Value& dataset, const Given& given) {
  const ObjectId id = context.state.object_id_of(dataset);
  if (id == kNoObject) return;
  const bool gives_all_by_name = !given.is_open && given.positional().size() < 2;
  for (std::string_view attribute : {"transform", "target_transform"}) {
    const std::optional<size_t> at = given.named(attribute);
    if (at || gives_all_by_name)
      context.state.edit(id).set(context.name(attribute),
                                 at ? context.state.read(given.values[*at]) : Value::none());
  }
  // Arrays, lists and tensors of the host.
  for (std::string_view attribute : {"data", "imgs", "labels", "samples", "targets"})
    context.state.edit(id).set(context.name(attribute), unknown_scalar(context));
}

Exits make_loader(CallContext& context, const Given& given) {
  std::optional<size_t> dataset = given.find("dataset", 0);
  Object loader = context.library_object(kLoader);
  loader.set(context.name("dataset"), dataset ? given.values[*dataset] : Value::unknown());
  std::optional<size_t> size = given.find("batch_size", 1);
  loader.set(context.name("batch_size"), size ? given.values[*size] : Value::integer(1));
  std::optional<size_t> collate = given.named("collate_fn");
  bool collates = (collate && !given.values[*collate].is(ValueKind::kNone)) || given.is_open;
  loader.set(context.name("collates"), Value::boolean(collates));
  const Value unknown = Value::unknown();
  const Value otherwise = given.is_open ? unknown : Value::boolean(false);
  const std::optional<size_t> pins = given.named("pin_memory");
  loader.set(context.name("pin_memory"), pins ? given.values[*pins] : otherwise);
  const std::optional<size_t> workers = given.find("num_workers", 5);
  const Value none = given.is_open ? unknown : Value::integer(0);
  loader.set(context.name("num_workers"), workers ? given.values[*workers] : none);
  if (const std::optional<size_t> generator = given.named("generator"))
    loader.set(context.name("generator"), context.state.read(given.values[*generator]));
  else if (draws_order_itself(context, given))
    loader.set(context.name("generator"), generator_on(context, Place::cpu()));
  loader.origin = context.origin(OriginKind::kYielded);
  const Value collates_by = collate ? context.state.read(given.values[*collate]) : Value::none();
  const Object* function = context.state.object_of(collates_by);
  const bool is_object_of_program =
      function && function->kind == ObjectKind::kRecord && function->type;
  const bool is_of_program = (function && function->kind == ObjectKind::kClosure) ||
                             is_object_of_program || class_of(context, collates_by) != nullptr;
  if (is_of_program && !given.is_open) loader.set(context.name("collate_fn"), collates_by);
  return one(context, context.make(std::move(loader)));
}

std::optional<Value> dataset_attribute(CallContext& context, const Object& object,
                                       std::string_view name) {
  if (is_kind(context, &object, kTensors) && object.complete && name == "tensors")
    return make_list(context, object.elements, ObjectKind::kTuple, 928);
  const bool is_kept = name == "data" || name == "targets";
  const std::string& type = context.activation.names().text(object.type_name);
  // Of the others the images are an array, or files.
  const bool is_mnist = type.starts_with(kVisionDatasets) && type.ends_with("MNIST");
  if (object.kind != ObjectKind::kLibrary || !is_kept || !is_mnist) return std::nullopt;
  return host_tensor(context);
}

std::optional<Value> dataset_item(CallContext& context, const Object& dataset, const Value& index) {
  if (!is_kind(context, &dataset, kTensors) || !dataset.complete) return std::nullopt;
  std::vector<Value> parts;
  for (const Value& each : std::vector<Value>(dataset.elements)) {
    Exits exits = get_item(context, context.state.read(each), index);
    if (exits.size() != 1) return Value::unknown();
    context.state = std::move(exits.front().state);
    parts.push_back(context.state.read(exits.front().value));
  }
  return make_list(context, std::move(parts), ObjectKind::kTuple, 928);
}

std::optional<Exits> batch_of(CallContext& context, const Object* object) {
  if (!is_kind(context, object, kLoader)) return std::nullopt;
  const Object loader = *object;
  const LoaderFacts facts = facts_of(context, loader);
  // An iterator draws its seed, and a sampler the order, in tensors that name no device.
  const Value* generator = loader.find(context.name("generator"));
  if (generator && is_generator(context, *generator))
    note_generator_use(context, *generator, Given::kMade, place_of_new_tensors(context), 0,
                       "DataLoader");
  Exits exits = plain_batch_of(context, loader);
  for (Exit& exit : exits) {
    CallContext after{context.activation, exit.state, context.instruction, context.arguments};
    note_loader(after, facts, exit.value, 0);
  }
  return exits;
}

}  // namespace placecheck::dataflow
