// PyTorch's functions, classes and methods, by their Python names.
#include <algorithm>
#include <set>

#include "analyzer/dataflow/async_copies.h"
#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/scalars.h"
#include "analyzer/models/libraries/modules.h"
#include "analyzer/models/libraries/python_names.h"
#include "rules/visible_devices.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kTorch = "torch.";
constexpr std::string_view kWrapper = "placecheck::parallel::DataParallel";
constexpr std::string_view kDefaultDevice = "<default device>";

// Where what is made without a device goes; nothing where the program has set no default.
std::optional<Value> default_device(CallContext& context) {
  const Value* device = context.state.find_global(context.name(kDefaultDevice));
  if (!device || device->is(ValueKind::kNone)) return std::nullopt;
  Value found = *device;
  found.place =
      found.is(ValueKind::kDevice) ? resolve(context.state, found.place) : Place::unknown();
  return found;
}

Exits one(CallContext& context, const Value& value) { return single_exit(context, value); }

// The arguments of `parameters`, in that order; what is missing at the end is left out.
Given arranged(CallContext& context, const Given& given, std::string_view parameters) {
  Given result;
  size_t position = 0, pending = 0;
  while (!parameters.empty()) {
    size_t comma = std::min(parameters.find(','), parameters.size());
    std::string_view name = parameters.substr(0, comma);
    parameters.remove_prefix(std::min(comma + 1, parameters.size()));
    if (std::optional<size_t> at = given.find(name, position++)) {
      for (; pending > 0; --pending) result.add(Value::none(), {}, Given::kMade);
      Value value = given.values[*at];
      if (name == "device") value = as_device(context, value);
      result.add(value, {}, given.sources[*at]);
    } else {
      ++pending;
    }
  }
  return result;
}

// What the keyword `device` says: options with that place; with an unknown one where it is unknown.
// Without it, those of the default device, except where the result is made like another tensor.
Value options_of(CallContext& context, const Given& given, bool is_like_another = false) {
  Value options = Value::options();
  const std::optional<Value> otherwise = default_device(context);
  if (otherwise && !is_like_another) {
    options.has_place = true;
    options.place = otherwise->place;
    options.origin = otherwise->origin;
  }
  if (std::optional<size_t> at = given.named("device")) {
    Value device = as_device(context, given.values[*at]);
    if (!device.is(ValueKind::kNone)) {
      options.has_place = true;
      options.place = device.is(ValueKind::kDevice) ? device.place : Place::unknown();
      options.origin = device.origin;
      options.input = device.input;
    }
  }
  if (given.is_open) options.has_place = true;
  if (std::optional<size_t> at = given.named("requires_grad")) {
    const Value& wanted = given.values[*at];
    options.requires_grad = !wanted.is(ValueKind::kBool) || wanted.number != 0;
  }
  if (const std::optional<size_t> at = given.named("pin_memory")) {
    const Value& wanted = given.values[*at];
    if (wanted.is(ValueKind::kBool) && wanted.number != 0) options.number = Value::kPinned;
  }
  return options;
}

// zeros(2, 3), zeros((2, 3)), zeros_like(x), full((2, 3), 1.0): sizes as one list, options last.
Exits make_tensor(CallContext& context, std::string_view operation, const Given& given) {
  // `torch.arange(n, out=ids)` writes into a tensor that is there.
  if (std::optional<size_t> out = given.named("out")) {
    const Value tensor = context.state.read(given.values[*out]);
    return one(context, tensor.is_tensor() ? tensor : Value::unknown());
  }
  Given arguments;
  std::vector<size_t> positional = given.positional();
  bool has_self = operation.ends_with("_like") || operation.starts_with("new_");
  size_t next = 0;
  if (has_self && !positional.empty()) {
    arguments.add(given.values[positional[0]], {}, given.sources[positional[0]]);
    next = 1;
  }
  static constexpr std::string_view kSized[] = {"empty", "ones",      "rand",     "randn",
                                                "zeros", "new_empty", "new_ones", "new_zeros"};
  bool is_sized = std::ranges::find(kSized, operation) != std::end(kSized);
  if (is_sized) {
    std::optional<size_t> size = given.named("size");
    if (size) {
      arguments.add(given.values[*size], {}, given.sources[*size]);
    } else if (positional.size() == next + 1 &&
               (is_list(context, given.values[positional[next]]) ||
                given.values[positional[next]].is(ValueKind::kUnknown))) {
      arguments.add(given.values[positional[next]], {}, given.sources[positional[next]]);
    } else {
      std::vector<Value> sizes;
      for (size_t i = next; i < positional.size(); ++i)
        sizes.push_back(given.values[positional[i]]);
      // Several sizes are several dimensions, known or not.
      arguments.add(make_list(context, std::move(sizes), ObjectKind::kContainer, 983), {},
                    Given::kMade);
    }
  } else {
    for (size_t i = next; i < positional.size(); ++i) {
      Value value = given.values[positional[i]];
      // What is not known there is a number or sizes, and no device.
      if (value.is(ValueKind::kUnknown)) value = unknown_scalar(context);
      const Object* object = context.state.object_of(value);
      if (object && object->kind == ObjectKind::kTuple)
        value = make_list(context, object->elements, ObjectKind::kContainer,
                          984 + static_cast<uint32_t>(i));
      arguments.add(value, {}, given.sources[positional[i]]);
    }
    if (std::optional<size_t> size = given.named("size"))
      arguments.add(given.values[*size], {}, given.sources[*size]);
  }
  arguments.add(options_of(context, given, has_self), {}, Given::kMade);
  // zeros(()) has no dimension.
  const Object* sizes = is_sized && positional.size() == next + 1
                            ? context.state.object_of(given.values[positional[next]])
                            : nullptr;
  bool is_scalar = sizes && sizes->elements.empty() && !sizes->open;
  Exits exits = call_as(context, arguments, "at::" + std::string(operation));
  for (Exit& exit : exits) {
    if (is_scalar && exit.value.is_tensor()) exit.value.rank = Rank::kScalar;
    CallContext after{context.activation, exit.state, context.instruction, context.arguments};
    note_generator(after, given, exit.value);
  }
  return exits;
}

// torch.tensor(data, device=d): of numbers as they are given.
Exits tensor_from_data(CallContext& context, const Given& given) {
  Given arguments;
  std::optional<size_t> data = given.find("data", 0);
  Value value = data ? given.values[*data] : Value::unknown();
  bool is_tensor = value.is_tensor();
  arguments.add(is_tensor ? Value::unknown() : value, {},
                data ? given.sources[*data] : Given::kMade);
  arguments.add(options_of(context, given), {}, Given::kMade);
  return call_as(context, arguments, "at::tensor");
}

// The layers of `Sequential(stem, *[Block() for _ in range(depth)], head)`: of those of unknown
// number, what is known stands for all.
Given with_open_layers(CallContext& context, const Given& given) {
  const auto is_module = [&](const Value& each) {
    const Object* object = context.state.object_of(each);
    return object && object->is_module();
  };
  if (given.of_open_list.empty() || !std::ranges::all_of(given.of_open_list, is_module))
    return given;
  Given all;
  for (size_t i = 0; i <= given.size(); ++i) {
    for (const Value& each : given.of_open_list) {
      if (i == given.open_list_at) all.add(each, {}, Given::kMade);
    }
    if (i < given.size()) all.add(given.values[i], given.names[i], given.sources[i]);
  }
  return all;
}

// A layer, loss or container of torch.nn.
Exits make_layer(CallContext& context, const std::string& name, const Given& written) {
  const bool is_sequence = name == "torch.nn.Sequential";
  const Given given = is_sequence ? with_open_layers(context, written) : written;
  Given arguments;
  std::string api = models::python_class_name(name);
  const models::ModuleModel* model = models::find_module_model(api);
  bool is_container = model && (model->forward == models::Forward::kSequential ||
                                model->forward == models::Forward::kNone);
  std::optional<size_t> weight = given.find("weight", 0);
  std::optional<size_t> pos_weight = given.named("pos_weight");
  if (is_container) {
    for (size_t i = 0; i < given.size(); ++i) {
      // A table names what it holds.
      const Object* table = context.state.object_of(given.values[i]);
      bool has_names = table && table->kind == ObjectKind::kContainer && !table->open &&
                       !table->keys.empty() && table->keys.size() == table->elements.size();
      if (has_names) {
        for (size_t k = 0; k < table->keys.size(); ++k) {
          arguments.add(table->keys[k], {}, Given::kMade);
          arguments.add(table->elements[k], {}, given.sources[i]);
        }
      } else {
        arguments.add(given.values[i], {}, given.sources[i]);
      }
    }
  } else if (model && models::is_loss(model->forward) && (weight || pos_weight)) {
    Object options = context.library_object("Options");
    if (weight && given.values[*weight].is_tensor())
      options.set(context.name("weight"), given.values[*weight]);
    // A number of its own joins what it is multiplied with.
    bool is_number = pos_weight && given.values[*pos_weight].rank == Rank::kScalar;
    if (pos_weight && !is_number && given.values[*pos_weight].is_tensor())
      options.set(context.name("pos_weight"), given.values[*pos_weight]);
    arguments.add(context.make(std::move(options), 985), {}, Given::kMade);
  }
  const std::optional<Value> otherwise = default_device(context);
  Exits exits = call_as(context, arguments, api, ir::CallKind::kConstruct);
  std::optional<size_t> device = given.named("device");
  bool is_open = given.is_open;
  if (otherwise && !device) {
    for (Exit& exit : exits) {
      ObjectId id = exit.state.object_id_of(exit.value);
      if (id != kNoObject) move_module(exit.state, id, otherwise->place, otherwise->origin);
    }
  }
  for (size_t i = 0; is_container && i < given.size(); ++i)
    is_open |= given.values[i].is(ValueKind::kUnknown);
  for (Exit& exit : exits) {
    ObjectId id = exit.state.object_id_of(exit.value);
    if (id == kNoObject) continue;
    if (is_open && is_container) exit.state.edit(id).complete = false;
    if (!device && !is_open) continue;
    CallContext after{context.activation, exit.state, context.instruction, context.arguments};
    Value place = device ? as_device(after, given.values[*device]) : Value::unknown();
    if (place.is(ValueKind::kNone)) continue;
    move_module(exit.state, id,
                place.is(ValueKind::kDevice) ? resolve(exit.state, place.place) : Place::unknown(),
                after.origin(OriginKind::kCreated));
  }
  return exits;
}

// A tensor that a module registers when it becomes an attribute of it.
Value make_parameter(CallContext& context, const Given& given) {
  std::optional<size_t> data = given.find("data", 0);
  Value tensor = data ? context.state.decider_of(given.values[*data]) : Value::unknown();
  if (!tensor.is_tensor()) tensor = Value::tensor(Place::unknown(), Rank::kUnknown);
  tensor.requires_grad = true;
  tensor.stray = false;
  Object cell;
  cell.kind = ObjectKind::kCell;
  cell.elements.push_back(tensor);
  Value handle = Value::tensor(Place::cell(context.make(std::move(cell), 986).object), tensor.rank);
  handle.origin = tensor.origin;
  handle.requires_grad = true;
  return handle;
}

Exits make_data_parallel(CallContext& context, const Given& given) {
  Given arguments = arranged(context, given, "module,device_ids,output_device");
  if (arguments.size() > 2) arguments.values[2] = as_device(context, arguments.values[2]);
  return call_as(context, arguments, std::string(kWrapper), ir::CallKind::kConstruct);
}

// The ids in a list as Python prints them; empty where it is not known which there are.
std::vector<std::string> listed_ids(CallContext& context, const Value& list) {
  std::vector<std::string> ids;
  const Object* object = context.state.object_of(list);
  if (!object || object->open || !is_list(*object)) return ids;
  for (const Value& each : object->elements) {
    const Value id = context.state.read(each);
    ids.push_back(id.is(ValueKind::kInt) ? std::to_string(id.number) : "local_rank");
  }
  return ids;
}

// What NCCL has to do with of a module that is wrapped: the device that is listed, or else the one
// of its first tensor.
void note_wrapped_device(CallContext& context, const DistributedWrapEvent& wrap) {
  RankDeviceEvent event;
  event.site = wrap.site;
  event.operation = "DistributedDataParallel";
  event.module = wrap.module;
  const std::string id = wrap.device_ids.size() == 1 ? wrap.device_ids[0] : "";
  std::vector<std::pair<std::string, Value>> tensors;
  if (wrap.module != kNoObject)
    registered_tensors(context.state, context.activation.names(), wrap.module, "", tensors);
  if (!id.empty() && id.find_first_not_of("0123456789") == std::string::npos && id.size() < 4) {
    event.place = Place::cuda(std::stoi(id));
    event.is_listed = true;
  } else if (!tensors.empty()) {
    const Value decider = context.state.decider_of(tensors.front().second);
    event.place = decider.place;
    event.origin = decider.origin;
  }
  note_rank_device(context, event);
}

// DistributedDataParallel: a wrapper that runs the module where it is. What goes in is moved there
// if the wrapper was given a device.
Value make_distributed(CallContext& context, const Given& given) {
  std::optional<size_t> module = given.find("module", 0);
  std::optional<size_t> devices = given.find("device_ids", 1);
  Object wrapper;
  wrapper.kind = ObjectKind::kModule;
  wrapper.type_name = context.name(kDistributed);
  wrapper.set(context.name("device_ids"), devices         ? given.values[*devices]
                                          : given.is_open ? Value::unknown()
                                                          : Value::none());
  wrapper.origin = context.origin(OriginKind::kBuilt);
  wrapper.registered.push_back({context.name("module"),
                                RegisteredKind::kModule,
                                module ? given.values[*module] : Value::unknown(),
                                {}});
  Value made = context.make(std::move(wrapper));
  if (given.is_tried) return made;
  DistributedWrapEvent event;
  event.site = context.activation.site(context.instruction.range);
  event.module = module ? context.state.object_id_of(given.values[*module]) : kNoObject;
  event.lacks_group = has_no_group(context) && !given.named("process_group") && !given.is_open;
  if (devices && !given.is_open) event.device_ids = listed_ids(context, given.values[*devices]);
  context.activation.notify(event, context.state);
  note_wrapped_device(context, event);
  return made;
}

// DataLoader(dataset, batch_size, ...): batches of what the data set has.
Exits make_loader(CallContext& context, const Given& given) {
  std::optional<size_t> dataset = given.find("dataset", 0);
  Object loader = context.library_object("torch.utils.data.DataLoader");
  loader.set(context.name("dataset"), dataset ? given.values[*dataset] : Value::unknown());
  std::optional<size_t> size = given.find("batch_size", 1);
  loader.set(context.name("batch_size"), size ? given.values[*size] : Value::integer(1));
  std::optional<size_t> collate = given.named("collate_fn");
  bool collates = (collate && !given.values[*collate].is(ValueKind::kNone)) || given.is_open;
  loader.set(context.name("collates"), Value::boolean(collates));
  if (std::optional<size_t> pins = given.named("pin_memory"))
    loader.set(context.name("pin_memory"), given.values[*pins]);
  bool is_closure = collate && context.state.object_of(given.values[*collate]) &&
                    context.state.object_of(given.values[*collate])->kind == ObjectKind::kClosure;
  if (is_closure && !given.is_open) loader.set(context.name("collate_fn"), given.values[*collate]);
  return one(context, context.make(std::move(loader)));
}

// An operation of PyTorch: its tensors wherever they stand, by name or not.
std::optional<Exits> operation(CallContext& context, const std::string& name, const Given& given) {
  std::optional<std::string_view> aten = models::aten_name(name);
  const models::Operator* op = aten ? models::find_operator(*aten) : nullptr;
  if (!op) return std::nullopt;
  if (op->is_factory()) return make_tensor(context, op->name, given);
  Given arguments;
  for (size_t i : given.positional()) arguments.add(given.values[i], {}, given.sources[i]);
  // By the position that the operation has for the name.
  const models::Signature* signature = op->signatures.empty() ? nullptr : &op->signatures[0];
  for (size_t i = 0; i < given.size(); ++i) {
    if (given.names[i].empty() || given.names[i] == "out") continue;
    size_t position = arguments.size();
    for (size_t t = 0; signature && t < signature->tensors.size(); ++t) {
      bool is_it = signature->tensors[t].name == given.names[i] ||
                   (given.names[i] == "input" && signature->tensors[t].name == "self");
      if (is_it) position = signature->tensors[t].position;
    }
    while (arguments.size() < position) arguments.add(Value::none(), {}, Given::kMade);
    if (arguments.size() == position) {
      arguments.add(given.values[i], {}, given.sources[i]);
    } else {
      arguments.values[position] = given.values[i];
      arguments.sources[position] = given.sources[i];
    }
  }
  // In C++ what the result is written into comes first.
  std::optional<size_t> output = given.named("out");
  bool is_written = output && context.state.read(given.values[*output]).is_tensor();
  Given all;
  if (is_written) all.add(given.values[*output], {}, given.sources[*output]);
  for (size_t i = 0; i < arguments.size(); ++i)
    all.add(arguments.values[i], {}, arguments.sources[i]);
  std::string spelled = "at::" + std::string(op->name) + (is_written ? "_out" : "");
  Exits exits = call_as(context, all, spelled);
  for (Exit& exit : exits) {
    CallContext after{context.activation, exit.state, context.instruction, context.arguments};
    note_generator(after, given, exit.value);
  }
  return exits;
}

// What the language asks of PyTorch beside operations.
std::optional<Exits> torch_function(CallContext& context, const std::string& name,
                                    const Given& given) {
  Value first = given.values.empty() ? Value::unknown() : given.values[0];
  if (name == "torch.device") {
    std::optional<size_t> type = given.find("type", 0);
    if (!type) type = given.named("device");
    Given arguments;
    arguments.add(type ? given.values[*type] : Value::unknown(), {}, 0);
    std::optional<size_t> index = given.find("index", 1);
    Value device = as_device(context, arguments.values[0]);
    if (index && device.is(ValueKind::kDevice)) {
      arguments.values[0] = device;
      arguments.add(given.values[*index], {}, given.sources[*index]);
      return call_as(context, arguments, "c10::Device", ir::CallKind::kConstruct);
    }
    return one(context, device);
  }
  if (name == "torch.accelerator.current_accelerator") {
    Value device = Value::device(Place::cuda(Place::kCurrent));
    device.origin = context.origin(OriginKind::kNamed);
    return one(context, device);
  }
  if (name == "torch.tensor" || name == "torch.as_tensor") {
    if (name == "torch.as_tensor" && first.is_tensor() && !given.named("device"))
      return one(context, first);
    // A class that wraps any data returns early where there is none, and sizes are not followed.
    const Object* data = context.state.object_of(first);
    if (name == "torch.as_tensor" && data && is_list(*data) && data->has_no_elements())
      return one(context, Value::tensor(Place::unknown()));
    return tensor_from_data(context, given);
  }
  if (name == "torch.from_numpy") {
    Given data;
    data.add(Value::unknown(), {}, 0);
    return call_as(context, data, "at::tensor");
  }
  static constexpr std::string_view kHostTypes[] = {
      "torch.FloatTensor", "torch.LongTensor", "torch.IntTensor",  "torch.DoubleTensor",
      "torch.ByteTensor",  "torch.BoolTensor", "torch.HalfTensor", "torch.Tensor"};
  if (std::ranges::find(kHostTypes, name) != std::end(kHostTypes)) {
    Given data;
    data.add(Value::unknown(), {}, 0);
    return call_as(context, data, "at::tensor");
  }
  if (name.starts_with("torch.cuda.") && name.ends_with("Tensor")) {
    Value tensor = Value::tensor(context.state.thread.current_device, Rank::kNonScalar);
    tensor.origin = context.origin(OriginKind::kCreated);
    return one(context, tensor);
  }
  if (name == "torch.nn.Parameter" || name == "torch.nn.parameter.Parameter")
    return one(context, make_parameter(context, given));
  if (name == "torch.autograd.Variable") return one(context, first);
  if (name == "torch.nn.DataParallel" || name == "torch.nn.parallel.DataParallel")
    return make_data_parallel(context, given);
  if (name == "torch.nn.parallel.DistributedDataParallel" ||
      name == "torch.nn.parallel.distributed.DistributedDataParallel")
    return one(context, make_distributed(context, given));
  if (name == "torch.nn.parallel.data_parallel") {
    Given arguments = arranged(context, given, "module,inputs,device_ids,output_device");
    if (arguments.size() > 3) arguments.values[3] = as_device(context, arguments.values[3]);
    return call_as(context, arguments, "torch::nn::parallel::data_parallel");
  }
  if (name == "torch.set_default_device" || name == "torch.set_default_tensor_type") {
    const std::optional<size_t> device =
        name == "torch.set_default_device" ? given.find("device", 0) : std::nullopt;
    set_default_device(context,
                       device ? as_device(context, given.values[*device]) : Value::unknown());
    return one(context, Value::none());
  }
  // Distributed training shards and moves modules in place.
  bool has_module = std::ranges::any_of(given.values, [&](const Value& value) {
    const Object* object = context.state.object_of(value);
    return object && object->is_module();
  });
  if (has_module && name.starts_with("torch.distributed."))
    return one(context, forget(context, given));
  if (name == "torch.load") return one(context, load_file(context, given));
  if (name == "torch.save") {
    save_file(context, given);
    return one(context, Value::none());
  }
  if (name == "torch.utils.data.DataLoader") return make_loader(context, given);
  if (name.starts_with("torch.optim.") && is_class_name(name) &&
      !name.starts_with("torch.optim.lr_scheduler"))
    return make_optimizer(context, name, given);
  if (name.ends_with(".consume_prefix_in_state_dict_if_present")) {
    strip_prefix(context, given);
    return one(context, Value::none());
  }
  if (name == "torch.is_tensor") {
    const std::optional<bool> answer = is_tensor(context, first);
    return one(context, answer ? Value::boolean(*answer) : unknown_scalar(context));
  }
  static constexpr std::string_view kSources[] = {"torch.utils.data.Subset",
                                                  "torch.utils.data.ConcatDataset"};
  if (std::ranges::find(kSources, name) != std::end(kSources)) return one(context, first);
  if (std::optional<Value> generator = make_generator(context, name, given))
    return one(context, *generator);
  if (name == "torch.utils.data.random_split") note_host_generator(context, given, 2);
  if (name == "torch.utils.data.random_split") return one(context, context.make(open_list(first)));
  static constexpr std::string_view kSame[] = {"torch.compile",
                                               "torch.jit.script",
                                               "torch.jit.trace",
                                               "torch.nn.SyncBatchNorm.convert_sync_batchnorm",
                                               "torch.nn.utils.spectral_norm",
                                               "torch.nn.utils.weight_norm",
                                               "torch.nn.utils.parametrizations.weight_norm"};
  if (std::ranges::find(kSame, name) != std::end(kSame)) return one(context, first);
  if (name.starts_with("torch.nn.init.")) {
    note_generator(context, given, first);
    return one(context, first);
  }
  if (name.starts_with("torch.nn.") && !name.starts_with("torch.nn.functional.") &&
      !name.starts_with("torch.nn.utils.") && is_class_name(name) &&
      models::python_class_name(name).starts_with("torch::nn::"))
    return make_layer(context, name, given);
  bool is_method = name.starts_with("torch.Tensor.") || name.starts_with("torch.tensor.");
  if (is_method && given.size() > 0)
    return library_method(context, std::string(last_part(name)), given);
  return std::nullopt;
}

// --- Methods ---

// `x.to(...)`: the device, by name or by position, and nothing else.
// Converted to the type that it has already, it is the same object and can be registered.
bool is_parameter(const Value& value) {
  return value.is_tensor() && value.place.kind == PlaceKind::kCell && value.requires_grad;
}

Exits transfer(CallContext& context, const std::string& name, const Given& given) {
  Given arguments;
  bool asks_for_type = name == "to";
  arguments.add(given.values[0], {}, given.sources[0]);
  std::optional<size_t> device = given.named("device");
  std::vector<size_t> positional = given.positional();
  if (!device && positional.size() > 1) device = positional[1];
  if (name == "cuda") {
    Value place = device ? as_device(context, given.values[*device]) : Value::none();
    if (place.is(ValueKind::kNone)) {
      if (given.values[0].is_tensor())
        return call_as(context, arguments, "at::Tensor::cuda", ir::CallKind::kMethod);
      place = Value::device(Place::cuda(Place::kCurrent));
      place.origin = context.origin(OriginKind::kNamed);
    }
    arguments.add(place, {}, device ? given.sources[*device] : Given::kMade);
  } else if (name == "cpu") {
    if (given.values[0].is_tensor())
      return call_as(context, arguments, "at::Tensor::cpu", ir::CallKind::kMethod);
    Value place = Value::device(Place::cpu());
    place.origin = context.origin(OriginKind::kNamed);
    arguments.add(place, {}, Given::kMade);
  } else if (device) {
    Value value = given.values[*device];
    bool is_type = value.is(ValueKind::kOptions);
    const std::optional<std::string> library = library_name(context, value);
    is_type |= library && library->starts_with(kTorch);
    if (value.is(ValueKind::kString) || value.is(ValueKind::kInt) || value.is(ValueKind::kSymbol))
      value = as_device(context, value);
    if (is_type) value = Value::options();
    asks_for_type = is_type;
    // What is not understood may name a device.
    if (value.is_object()) value = Value::unknown();
    arguments.add(value, {}, given.sources[*device]);
  } else if (given.is_open) {
    arguments.add(Value::unknown(), {}, Given::kMade);
    asks_for_type = false;
  } else {
    arguments.add(Value::options(), {}, Given::kMade);
  }
  if (asks_for_type && is_parameter(given.values[0])) return one(context, given.values[0]);
  bool is_tensor = given.values[0].is_tensor();
  if (const std::optional<size_t> waits_not = given.named("non_blocking"); is_tensor && waits_not)
    arguments.add(context.state.read(given.values[*waits_not]), {}, given.sources[*waits_not]);
  Exits exits = call_as(context, arguments, is_tensor ? "at::Tensor::to" : "torch::nn::Module::to",
                        ir::CallKind::kMethod);
  // A copy of a parameter has a gradient and is no parameter.
  for (Exit& exit : exits) {
    if (is_tensor && exit.value.is_tensor())
      exit.value.requires_grad = given.values[0].requires_grad;
  }
  return exits;
}

// The device that `x.to(...)` and its kind ask for; nothing where it is not known.
std::optional<Place> asked_place(CallContext& context, const std::string& name,
                                 const Given& given) {
  if (name == "cpu") return Place::cpu();
  std::optional<size_t> device = given.find("device", 1);
  if (!device) {
    if (name == "cuda" && !given.is_open) return context.state.thread.current_device;
    return std::nullopt;
  }
  Value value = as_device(context, given.values[*device]);
  if (!value.is(ValueKind::kDevice)) return std::nullopt;
  Place place = resolve(context.state, value.place);
  return place.is_known() ? std::optional(place) : std::nullopt;
}

Exits tensor_method(CallContext& context, const std::string& name, const Given& given) {
  if (name == "to" || name == "cuda" || name == "cpu") return transfer(context, name, given);
  Value self = given.values[0];
  constexpr std::string_view kReading[] = {"__array__", "item", "numpy", "tolist"};
  if (std::ranges::find(kReading, name) != std::end(kReading)) {
    if (context.state.place_of(self).is_accelerator())
      forget_copies(context.state, context.activation.names());
    note_tensor_read(context, self, name, context.range(0));
  }
  if (name == "numpy" || name == "__array__") {
    note_host_array(context, given, 0);
    return one(context, Value::unknown());
  }
  if (name == "type" || name == "type_as") {
    if (given.size() > 1 && name == "type_as") return call_as(context, given, "at::type_as");
    if (given.size() == 1) return one(context, unknown_scalar(context));
    std::optional<std::string> type = context.text(given.values[1]);
    if (!type) type = library_name(context, given.values[1]);
    Value copy = context.state.decider_of(self);
    if (!type) {
      copy.place = Place::unknown();
    } else if (type->find("Tensor") != std::string::npos) {
      bool is_cuda = type->find("cuda") != std::string::npos;
      copy.place = is_cuda ? context.state.thread.current_device : Place::cpu();
      copy.origin = context.origin(OriginKind::kMoved);
      copy.input = Value::kNotInput;
    }
    return one(context, copy);
  }
  if (const models::TensorQuery* query = models::find_tensor_query(name);
      query && !models::find_operator(name)) {
    if (query->kind == models::QueryKind::kShape) return one(context, unknown_scalar(context));
    return call_as(context, given, "at::Tensor::" + name, ir::CallKind::kMethod);
  }
  if (name == "size" || name == "dim" || name == "item" || name == "tolist")
    return one(context,
               name == "item" || name == "dim" ? unknown_scalar(context) : Value::unknown());
  if (name == "half" || name == "float" || name == "double" || name == "long" || name == "int" ||
      name == "bool" || name == "byte" || name == "short" || name == "bfloat16" ||
      name == "clone" || name == "contiguous" || name == "pin_memory") {
    if (name == "pin_memory" && !given.is_tried)
      note_host_operand(context, self, context.range(0), name);
    const bool may_keep_object = name != "clone" && name != "pin_memory";
    if (may_keep_object && is_parameter(self)) return one(context, self);
    Value copy = context.state.decider_of(self);
    copy.stray = self.stray;
    copy.name = self.name;
    copy.rank = self.rank;
    if (name == "pin_memory") note_pinned(context, copy);
    return one(context, copy);
  }
  if (std::optional<Exits> exits = operation(context, "torch.Tensor." + name, given))
    return std::move(*exits);
  return one(context, Value::unknown());
}

// Classes that say themselves what a transfer does, in `_apply`: where their other members are
// afterwards is not known.
void leave_to_apply(CallContext& context, State& state, ObjectId root) {
  std::set<ObjectId> seen;
  std::vector<ObjectId> work{root};
  while (!work.empty()) {
    ObjectId id = work.back();
    work.pop_back();
    if (id == kNoObject || !state.has(id) || !seen.insert(id).second) continue;
    const ir::Class* type = state.object(id).type;
    for (const Registered& each : state.object(id).registered)
      work.push_back(state.object_id_of(each.value));
    if (!type || !find_method(context.activation, *type, "_apply").function) continue;
    for (auto& [field, value] : state.edit(id).fields) {
      bool is_cell = value.place.kind == PlaceKind::kCell;
      if (value.is_tensor() && !is_cell) value.place = Place::unknown();
    }
  }
}

// The lengths of sequences that are packed are read on the host.
void note_lengths(CallContext& context, const std::string& name, const Given& given) {
  if (name != "torch.nn.utils.rnn.pack_padded_sequence" || given.is_tried) return;
  const std::optional<size_t> lengths = given.find("lengths", 1);
  if (!lengths) return;
  const auto& written = context.call().arguments;
  const size_t source = given.sources[*lengths];
  note_host_operand(context, given.values[*lengths],
                    source < written.size() ? written[source].range : ir::Range(), last_part(name),
                    "lengths");
}

// The same parts make the same path.
Value joined_path(CallContext& context, const Given& given) {
  std::string path;
  for (const Value& part : given.values) {
    const std::optional<std::string> text = context.text(part);
    if (!text || given.is_open) {
      std::optional<Value> answer =
          answer_of("os.path.join", given.values, context.activation.names());
      return answer && !given.is_open ? *answer : unknown_scalar(context);
    }
    if (text->starts_with("/")) path.clear();
    path += (path.empty() || path.ends_with("/") ? "" : "/") + *text;
  }
  return Value::string(context.name(path));
}

// `os.environ.setdefault("CUDA_VISIBLE_DEVICES", "0", "1")` raises a TypeError.
void note_list_in_pieces(CallContext& context, const Given& given) {
  if (context.text(given.values[0]) != rules::visible_devices::kVariable) return;
  VisibleListEvent event;
  event.site = context.activation.site(context.instruction.range);
  event.is_in_pieces = true;
  for (size_t i = 1; i < given.size(); ++i)
    event.list += (i > 1 ? "," : "") + context.text(given.values[i]).value_or("?");
  context.activation.notify(event, context.state);
}

Exits module_method(CallContext& context, const std::string& name, const Given& given) {
  const Value self = given.values[0];
  ObjectId id = context.state.object_id_of(self);
  if (name == "to" || name == "cuda" || name == "cpu" || name == "to_empty") {
    Exits exits = transfer(context, name, given);
    for (Exit& exit : exits) {
      exit.value = self;
      leave_to_apply(context, exit.state, id);
    }
    return exits;
  }
  if (name == "state_dict") return one(context, state_dict_of(context, id));
  if (name == "load_state_dict") {
    load_state_dict(context, id, given);
    return one(context, Value::unknown());
  }
  if (name == "register_buffer" || name == "register_parameter") {
    Given arguments = arranged(context, given,
                               name == "register_buffer" ? "self,name,tensor" : "self,name,param");
    const bool is_named = arguments.size() == 3 && arguments.values[1].is(ValueKind::kString);
    if (is_named && arguments.values[2].is(ValueKind::kNone)) {
      context.state.edit(id).set(registered_as_none(context, arguments.values[1].name),
                                 Value::boolean(true));
      return one(context, Value::none());
    }
    Exits exits = call_as(context, arguments, "torch::nn::Module::" + name, ir::CallKind::kMethod);
    // It is an attribute as well.
    for (Exit& exit : exits) {
      if (arguments.size() < 3 || !arguments.values[1].is(ValueKind::kString)) continue;
      exit.state.edit(id).set(arguments.values[1].name, exit.value);
      exit.value = Value::none();
    }
    return exits;
  }
  if (name == "add_module" || name == "register_module") {
    Given arguments = arranged(context, given, "self,name,module");
    return call_as(context, arguments, "torch::nn::Module::register_module", ir::CallKind::kMethod);
  }
  if (name == "append" || name == "extend" || name == "insert") {
    Given arguments;
    arguments.add(self, {}, given.sources[0]);
    if (given.size() > 1) arguments.add(given.values.back(), {}, given.sources.back());
    return call_as(context, arguments, "torch::nn::ModuleListImpl::push_back",
                   ir::CallKind::kMethod);
  }
  static constexpr std::string_view kSelf[] = {
      "apply", "bfloat16",       "double",       "eval",  "float",
      "half",  "requires_grad_", "share_memory", "train", "type"};
  static constexpr std::string_view kKnown[] = {
      "buffers",       "children",       "eval",          "modules",
      "named_buffers", "named_children", "named_modules", "named_parameters",
      "parameters",    "train",          "apply",         "zero_grad"};
  Exits exits;
  if (std::ranges::find(kKnown, name) != std::end(kKnown)) {
    exits = call_as(context, given, "torch::nn::Module::" + name, ir::CallKind::kMethod);
  } else if (name == "forward" || name == "__call__") {
    return call_as(context, given, "torch::nn::Module::forward", ir::CallKind::kMethod);
  } else {
    note_wrapper_attribute(context, self, name);
    exits = one(context, Value::unknown());
  }
  if (std::ranges::find(kSelf, name) != std::end(kSelf)) {
    for (Exit& exit : exits) exit.value = self;
  }
  const bool yields_pairs = name == "named_buffers" || name == "named_parameters";
  for (Exit& exit : exits) {
    CallContext after{context.activation, exit.state, context.instruction, context.arguments};
    if (yields_pairs && exit.value.is(ValueKind::kParameters))
      exit.value = items_of(after, exit.value);
  }
  if (name == "items" || name == "values" || name == "keys") {
    for (Exit& exit : exits) exit.value = name == "values" ? self : Value::unknown();
  }
  return exits;
}

}  // namespace

void set_default_device(CallContext& context, const Value& device) {
  const bool is_known = device.is(ValueKind::kNone) || device.is(ValueKind::kDevice);
  context.state.set_global(context.name(kDefaultDevice), is_known ? device : Value::unknown());
}

void enter_default_device(CallContext& context, const Value& device) {
  // Which one is in force after the inner of two blocks is not followed.
  set_default_device(context, default_device(context) ? Value::unknown() : device);
}

void leave_default_device(State& state, Names& names) {
  const Name name = names.intern(kDefaultDevice);
  const Value* device = state.find_global(name);
  if (device && device->is(ValueKind::kDevice)) state.set_global(name, Value::none());
}

Value as_device(CallContext& context, const Value& given) {
  Value value = context.state.read(given);
  if (value.is(ValueKind::kDevice) || value.is(ValueKind::kNone) || value.is(ValueKind::kUnknown))
    return value;
  if (value.is(ValueKind::kSymbol) && value.name == context.name(kDeviceCount)) {
    Value device = Value::device(Place::cuda_at(value.name));
    device.origin = context.origin(OriginKind::kNamed);
    return device;
  }
  if (value.is(ValueKind::kInt)) {
    Value device = Value::device(Place::cuda(static_cast<int32_t>(value.number)));
    device.origin = context.origin(OriginKind::kNamed);
    return device;
  }
  if (!value.is(ValueKind::kString) && !value.is(ValueKind::kSymbol)) return Value::unknown();
  Given text;
  text.add(value, {}, 0);
  Exits exits = call_as(context, text, "c10::Device", ir::CallKind::kConstruct);
  if (exits.empty()) return Value::unknown();
  context.state = std::move(exits.front().state);
  return exits.front().value;
}

Exits library_function(CallContext& context, const std::string& name, const Given& given) {
  if (name.starts_with("builtins.")) {
    if (std::optional<Exits> exits = builtin_function(context, name.substr(9), given))
      return std::move(*exits);
    return one(context, Value::unknown());
  }
  if (const models::PythonFunction* row = models::find_python_function(name)) {
    Given arguments = arranged(context, given, row->parameters);
    bool constructs = row->api.ends_with("Guard");
    return call_as(context, arguments, std::string(row->api),
                   constructs ? ir::CallKind::kConstruct : ir::CallKind::kDirect);
  }
  if (last_part(name) == "synchronize") forget_copies(context.state, context.activation.names());
  if (name == "sys.exit" || name == "os._exit" || name == "os.abort") return Exits();
  if (name.starts_with("os.environ") || name == "os.getenv") {
    std::string_view method = last_part(name);
    if (method == "setdefault" && given.size() > 2 && !given.is_open && !given.is_tried) {
      note_list_in_pieces(context, given);
      return Exits();
    }
    if (method == "setdefault" && given.size() > 1) {
      forget_variable(context, given.values[0]);
      Given arguments;
      arguments.add(given.values[0], {}, given.sources[0]);
      arguments.add(given.values[1], {}, given.sources[1]);
      arguments.add(Value::integer(0), {}, Given::kMade);
      return call_as(context, arguments, "setenv");
    }
    if (method == "pop") return one(context, unknown_scalar(context));
    if (given.size() > 0) return one(context, variable_of_environment(context, given.values[0]));
    return one(context, unknown_scalar(context));
  }
  note_lengths(context, name, given);
  if (std::optional<Value> answer = distributed_query(context, name, given))
    return one(context, *answer);
  note_distributed(context, name, given);
  if (std::optional<Value> partial = partial_function(context, name, given))
    return one(context, *partial);
  if (name == "os.path.join") return one(context, joined_path(context, given));
  if (std::optional<Value> type = named_tuple_type(context, name, given))
    return one(context, *type);
  if (std::optional<Exits> exits = start_function(context, name, given)) return std::move(*exits);
  if (std::optional<Exits> exits = distribution_function(context, name, given))
    return std::move(*exits);
  if (std::optional<Exits> exits = torch_function(context, name, given)) return std::move(*exits);
  if (name.starts_with(kTorch)) {
    if (std::optional<Exits> exits = operation(context, name, given)) return std::move(*exits);
  }
  if (std::optional<Value> network = library_network(context, name, given))
    return one(context, *network);
  if (name.starts_with("numpy.") && given.size() > 0) note_array_of(context, name, given);
  if (name == "copy.deepcopy" && given.size() > 0)
    return one(context, deep_copy(context, given.values[0]));
  if (name == "copy.copy") {
    return one(context, given.size() ? context.activation.copy(context.state, given.values[0],
                                                               &context.instruction)
                                     : Value::unknown());
  }
  if (name == "collections.OrderedDict" || name == "collections.defaultdict")
    if (std::optional<Exits> exits = builtin_function(context, "dict", given))
      return std::move(*exits);
  if (name == "tqdm.tqdm" || name == "tqdm.auto.tqdm" || name == "tqdm.notebook.tqdm")
    return one(context, given.size() ? given.values[0] : Value::unknown());
  if (name.ends_with("argparse.ArgumentParser") || name == "argparse.Namespace") {
    Object parser = context.library_object(name);
    parser.complete = false;
    parser.symbol = context.name(name.ends_with("Namespace") ? "namespace" : "args");
    return one(context, context.make(std::move(parser)));
  }
  if (!models::is_harmless_package(name)) return one(context, forget(context, given));
  bool is_object = is_class_name(name);
  if (is_object) {
    Object object = context.library_object(name);
    for (size_t i : given.positional()) object.elements.push_back(given.values[i]);
    return one(context, context.make(std::move(object)));
  }
  if (name.starts_with("time.") || name.starts_with("math.") || name.starts_with("os."))
    return one(context, unknown_scalar(context));
  return one(context, Value::unknown());
}

namespace {

// "--local-rank" is `local_rank`.
std::string name_of_option(std::string_view flag) {
  flag.remove_prefix(std::min(flag.find_first_not_of('-'), flag.size()));
  std::string name(flag);
  std::ranges::replace(name, '-', '_');
  return name;
}

// "cuda", "cuda:1" and what is meant so; not the CPU, with which everything fits.
bool names_accelerator(CallContext& context, const Value& value) {
  if (value.is(ValueKind::kDevice)) return !value.place.is_cpu();
  const std::string text = context.text(value).value_or("");
  return text.starts_with("cuda") || text.starts_with("gpu");
}

bool lists_numbers(CallContext& context, const Value& value) {
  const Object* list = context.state.object_of(value);
  return list && is_list(*list) && !list->open && !list->elements.empty() &&
         std::ranges::all_of(list->elements,
                             [](const Value& each) { return each.is(ValueKind::kInt); });
}

// `--gpu` with the default 1, or `--gpu-ids` with "1,0"; a number below zero stands for none.
bool numbers_device(CallContext& context, std::string_view option, const Value& value) {
  constexpr std::string_view kDevices[] = {"card", "cuda", "device", "gpu"};
  constexpr std::string_view kCounts[] = {"count", "local_rank", "n_",  "ngpu",
                                          "num",   "per",        "size"};
  const auto has = [&](std::string_view part) {
    return option.find(part) != std::string_view::npos;
  };
  if (std::ranges::none_of(kDevices, has) || std::ranges::any_of(kCounts, has)) return false;
  if (value.is(ValueKind::kInt)) return value.number >= 0;
  const std::string text = context.text(value).value_or("");
  return !text.empty() && text.find_first_not_of("0123456789,") == std::string::npos;
}

// An option that names a device, or lists some, is what it is when nobody gives it.
void keep_defaults(CallContext& context, std::string_view method, const Given& given) {
  const ObjectId parser = context.state.object_id_of(given.values[0]);
  auto keep = [&](const std::string& name, const Value& value) {
    const bool is_kept = names_accelerator(context, value) || lists_numbers(context, value) ||
                         numbers_device(context, name, value);
    const Object& object = context.state.object(parser);
    if (is_kept)
      context.state.edit(parser).set(context.name(name), value);
    else if (object.find(context.name(name)))
      context.state.edit(parser).set(context.name(name), unknown_scalar(context));
  };
  if (method == "set_defaults") {
    for (size_t i = 1; i < given.size(); ++i) {
      if (!given.names[i].empty()) keep(given.names[i], given.values[i]);
    }
    return;
  }
  std::string name;
  for (size_t i : given.without(1).positional()) {
    const std::string flag = context.text(given.values[i + 1]).value_or("");
    // The first of the long ones, or else the first.
    if (name.empty() || (flag.starts_with("--") && name.size() == 1)) name = name_of_option(flag);
  }
  if (std::optional<size_t> dest = given.named("dest"))
    name = context.text(given.values[*dest]).value_or("");
  const std::optional<size_t> value = given.named("default");
  if (value && !name.empty()) keep(name, context.state.read(given.values[*value]));
}

}  // namespace

Exits library_method(CallContext& context, const std::string& name, const Given& given) {
  Value self = given.values[0];
  if (name == "query" || name == "synchronize" || name == "wait")
    forget_copies(context.state, context.activation.names());
  if (self.is_tensor()) return tensor_method(context, name, given);
  if (std::optional<Value> value = generator_method(context, name, given))
    return one(context, *value);
  const Object* object = context.state.object_of(self);
  if (object && object->is_module()) return module_method(context, name, given);
  if (std::optional<Exits> exits = container_method(context, name, given)) return std::move(*exits);
  if (object && object->kind == ObjectKind::kLibrary) {
    const std::string& type = context.activation.names().text(object->type_name);
    if (name == "__call__" || name == "forward")
      if (std::optional<Value> result = transformed(context, self, given.without(1)))
        return one(context, *result);
    if (type.ends_with("ArgumentParser")) {
      bool parses = name.starts_with("parse_");
      if (name == "parse_known_args")
        return one(context, make_list(context, {self, Value::unknown()}, ObjectKind::kTuple));
      bool adds_group = name.starts_with("add_") && name != "add_argument";
      if (name == "add_argument" || name == "set_defaults") keep_defaults(context, name, given);
      return one(context, parses || adds_group ? self : Value::none());
    }
    if (std::optional<Exits> exits = distribution_method(context, name, given))
      return std::move(*exits);
    if (std::optional<Exits> exits = optimizer_method(context, name, given))
      return std::move(*exits);
    if (std::optional<Exits> exits = executor_method(context, name, given))
      return std::move(*exits);
    // What libraries make of their own does not move what it is given.
    return one(context, Value::unknown());
  }
  if (self.is(ValueKind::kParameters) || self.is(ValueKind::kDevice))
    return one(context, Value::unknown());
  bool transfers = name == "to" || name == "cuda" || name == "cpu";
  if (transfers && self.is(ValueKind::kUnknown)) {
    if (std::optional<Place> place = asked_place(context, name, given)) {
      // A tensor on that device, or what is used like one: a batch or a module that is there.
      Value placed = Value::tensor(*place, Rank::kUnknown);
      placed.origin = context.origin(OriginKind::kMoved);
      return one(context, placed);
    }
  }
  return one(context, forget(context, given));
}

}  // namespace placecheck::dataflow
