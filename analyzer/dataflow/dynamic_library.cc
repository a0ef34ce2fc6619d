// PyTorch's functions, classes and methods, by their Python names.
#include <algorithm>

#include "analyzer/dataflow/async_copies.h"
#include "analyzer/dataflow/autograd_functions.h"
#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/host_traffic.h"
#include "analyzer/dataflow/optimizers.h"
#include "analyzer/dataflow/packed_sequences.h"
#include "analyzer/dataflow/scalars.h"
#include "analyzer/models/libraries/python_names.h"
#include "rules/visible_devices.h"

namespace placecheck::dataflow {

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

namespace {

constexpr std::string_view kTorch = "torch.";

// The device of "torch.cuda.FloatTensor", the type or its name; none for types of the CPU.
Value device_of_type(CallContext& context, const Value& type) {
  std::optional<std::string> name = context.text(type);
  if (!name) name = library_name(context, type);
  if (!name) return Value::unknown();
  if (name->find(".cuda.") == std::string::npos) return Value::none();
  Value device = Value::device(Place::cuda(Place::kCurrent));
  device.origin = context.origin(OriginKind::kNamed);
  return device;
}

// `with torch.cuda.device_of(tensor)` selects the tensor's device; nothing for one on the CPU.
Exits guard_device_of(CallContext& context, const Given& given) {
  const Value tensor =
      context.state.decider_of(given.size() > 0 ? given.values[0] : Value::unknown());
  if (tensor.is_tensor() && tensor.place.is_cpu()) return one(context, Value::none());
  Value device =
      tensor.is_tensor() ? Value::device(context.state.place_of(tensor)) : Value::unknown();
  device.origin = tensor.origin;
  Given arguments;
  arguments.add(device, {}, 0);
  return call_as(context, arguments, "c10::cuda::CUDAGuard::CUDAGuard", ir::CallKind::kConstruct);
}

bool is_empty_list(CallContext& context, const Value& value) {
  const Object* list = context.state.object_of(value);
  return list && is_list(*list) && list->has_no_elements();
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
  if (name == "torchvision.utils.make_grid" && given.size() > 0)
    return one(context, grid_of(context, given));
  if (name == "torch.cuda.device_of") return guard_device_of(context, given);
  if (name == "torch.accelerator.current_accelerator") {
    Value device = Value::device(Place::cuda(Place::kCurrent));
    device.origin = context.origin(OriginKind::kNamed);
    return one(context, device);
  }
  if (name == "torch.tensor" || name == "torch.as_tensor") {
    if (name == "torch.as_tensor" && first.is_tensor() && !given.named("device"))
      return one(context, first);
    // A class that wraps any data returns early where there is none, and sizes are not followed.
    const bool is_empty = is_empty_list(context, first);
    if (name == "torch.as_tensor" && is_empty) return one(context, Value::tensor(Place::unknown()));
    Exits exits = tensor_from_data(context, given);
    for (Exit& exit : exits)
      if (is_empty && exit.value.is_tensor()) exit.value.number = Value::kWithoutElements;
    return exits;
  }
  // An array, a list and sizes have a dimension (rules/assumptions.md).
  if (name == "torch.from_numpy") return one(context, host_tensor(context));
  static constexpr std::string_view kHostTypes[] = {
      "torch.FloatTensor", "torch.LongTensor", "torch.IntTensor",  "torch.DoubleTensor",
      "torch.ByteTensor",  "torch.BoolTensor", "torch.HalfTensor", "torch.Tensor"};
  if (std::ranges::find(kHostTypes, name) != std::end(kHostTypes)) {
    // Of the default type, which may be one of CUDA's.
    if (name == "torch.Tensor" && has_default_device(context))
      return one(context, Value::tensor(Place::unknown()));
    Value tensor = host_tensor(context);
    if (given.size() == 0 || is_empty_list(context, first)) tensor.number = Value::kWithoutElements;
    return one(context, tensor);
  }
  // `torch.sparse.FloatTensor(indices, values, size)` is older than the function.
  if (name.starts_with("torch.sparse.") && name.ends_with("Tensor") && given.size() > 1)
    return operation(context, "torch.sparse_coo_tensor", given);
  if (name == "torch.spmm") return operation(context, "torch.mm", given);
  if (name.starts_with("torch.cuda.") && name.ends_with("Tensor")) {
    Value tensor = Value::tensor(context.state.thread.current_device, Rank::kNonScalar);
    tensor.origin = context.origin(OriginKind::kCreated);
    return one(context, tensor);
  }
  if (name == "torch.nn.Parameter") return one(context, make_parameter(context, given));
  if (name == "torch.autograd.Variable") return one(context, first);
  if (name == "torch.nn.DataParallel" || name == "torch.nn.parallel.DataParallel")
    return make_data_parallel(context, given);
  if (name == "torch.nn.parallel.DistributedDataParallel")
    return one(context, make_distributed(context, given));
  if (name == "torch.optim.swa_utils.AveragedModel")
    return one(context, make_averaged(context, given));
  if (const std::optional<Value> result = parallel_function(context, name, given))
    return one(context, *result);
  if (name == "torch.nn.parallel.data_parallel") {
    Given arguments = arranged(context, given, "module,inputs,device_ids,output_device");
    if (arguments.size() > 3) arguments.values[3] = as_device(context, arguments.values[3]);
    return call_as(context, arguments, "torch::nn::parallel::data_parallel");
  }
  if (name == "torch.set_default_device") {
    const std::optional<size_t> device = given.find("device", 0);
    set_default_device(context,
                       device ? as_device(context, given.values[*device]) : Value::unknown());
    return one(context, Value::none());
  }
  if (name == "torch.set_default_tensor_type") {
    set_default_device(context, device_of_type(context, first));
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
  if (name == "torch.nn.utils.rnn.pack_padded_sequence")
    return one(context, make_packed(context, first));
  if (name == "torch.nn.utils.rnn.pad_packed_sequence")
    return one(context, unpacked(context, first));
  if (name == "torch.is_tensor") {
    const std::optional<bool> answer = is_tensor(context, first);
    return one(context, answer ? Value::boolean(*answer) : unknown_scalar(context));
  }
  static constexpr std::string_view kSources[] = {"torch.utils.data.Subset",
                                                  "torch.utils.data.ConcatDataset"};
  if (std::ranges::find(kSources, name) != std::end(kSources)) return one(context, first);
  if (std::optional<Value> generator = make_generator(context, name, given))
    return one(context, *generator);
  if (std::optional<Value> state = generator_state(context, name, given))
    return one(context, *state);
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
  const bool is_function =
      name.starts_with("torch.nn.functional.") || name.starts_with("torch.nn.utils.");
  if (!is_function && is_class_name(name) &&
      models::python_class_name(name).starts_with("torch::nn::"))
    return make_layer(context, name, given);
  bool is_method = name.starts_with("torch.Tensor.") || name.starts_with("torch.tensor.");
  if (is_method && given.size() > 0)
    return library_method(context, std::string(last_part(name)), given);
  return std::nullopt;
}

// The lengths of sequences that are packed are read on the host.
void note_lengths(CallContext& context, const std::string& name, const Given& given) {
  if (name != "torch.nn.utils.rnn.pack_padded_sequence" || given.is_tried) return;
  const std::optional<size_t> lengths = given.find("lengths", 1);
  if (!lengths) return;
  note_host_operand(context, given.values[*lengths], context.range(given.sources[*lengths]),
                    last_part(name), "lengths");
}

// torch.autocast takes the type of a device, as a text.
void note_autocast(CallContext& context, const std::string& name, const Given& given) {
  if ((name != "torch.autocast" && name != "torch.amp.autocast") || given.is_tried) return;
  const std::optional<size_t> type = given.find("device_type", 0);
  if (!type || !context.state.read(given.values[*type]).is(ValueKind::kDevice)) return;
  context.activation.notify(AutocastTypeEvent{context.activation.site(context.instruction.range)},
                            context.state);
}

// torchrun sets these to numbers, which are no names of devices while they are texts.
void note_rank_as_device(CallContext& context, const Value& device) {
  constexpr std::string_view kRanks[] = {"LOCAL_RANK", "RANK"};
  if (!device.is(ValueKind::kSymbol) || given_arguments(context).is_tried) return;
  std::string_view variable = context.activation.names().text(device.name);
  if (!variable.starts_with(kVariable)) return;
  variable.remove_prefix(kVariable.size());
  if (std::ranges::find(kRanks, variable) == std::end(kRanks)) return;
  DeviceTextEvent event;
  event.site = context.activation.site(context.instruction.range);
  event.text = "0";
  event.variable = variable;
  context.activation.notify(event, context.state);
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

}  // namespace

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

Value path_of(CallContext& context, const Given& given) {
  Value path = joined_path(context, given);
  if (path.is(ValueKind::kString)) path.number = kPath;
  return path;
}

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

Value as_device(CallContext& context, const Value& given) {
  Value value = context.state.read(given);
  if (value.is(ValueKind::kDevice) || value.is(ValueKind::kNone) || value.is(ValueKind::kUnknown))
    return value;
  const Names& names = context.activation.names();
  if (offset_from_count(value, names) || is_number(value, names)) {
    Value device = Value::device(numbered(value, names));
    device.origin = context.origin(OriginKind::kNamed);
    return device;
  }
  if (!value.is(ValueKind::kString) && !value.is(ValueKind::kSymbol)) return Value::unknown();
  note_rank_as_device(context, value);
  Given text;
  text.add(value, {}, 0);
  Exits exits = call_as(context, text, "c10::Device", ir::CallKind::kConstruct);
  if (exits.empty()) return Value::unknown();
  context.state = std::move(exits.front().state);
  return exits.front().value;
}

// What Python 2 and six call functions that the language has under another name now.
static std::optional<std::string> current_name(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> kOlder[] = {
      {"builtins.xrange", "range"}, {"itertools.ifilter", "filter"}, {"itertools.imap", "map"},
      {"itertools.izip", "zip"},    {"six.moves.filter", "filter"},  {"six.moves.map", "map"},
      {"six.moves.range", "range"}, {"six.moves.xrange", "range"},   {"six.moves.zip", "zip"}};
  const auto* row =
      std::ranges::find(kOlder, name, &std::pair<std::string_view, std::string_view>::first);
  if (row == std::end(kOlder)) return std::nullopt;
  return "builtins." + std::string(row->second);
}

// Whether an argument is a tensor or an object that the program made.
static bool is_about_made(CallContext& context, const Given& given) {
  return std::ranges::any_of(given.values, [&](const Value& each) {
    const Value value = context.state.read(each);
    return value.is_tensor() || value.is_object();
  });
}

// A stream belongs to the device that it is asked for, or to the current one. Nothing is known of
// one that is entered and is not one of these.
static std::optional<Exits> make_stream(CallContext& context, std::string_view name,
                                        const Given& given) {
  if (name == "torch.cuda.stream" && (given.size() == 0 || !given.values[0].is_handle()))
    return one(context, Value::unknown());
  const bool makes = name == "torch.cuda.Stream" || name == "torch.cuda.current_stream" ||
                     name == "torch.cuda.default_stream";
  if (!makes || given.is_open) return std::nullopt;
  const std::optional<size_t> device = given.find("device", 0);
  Given arguments;
  arguments.add(Value::integer(0), {}, Given::kMade);
  arguments.add(device ? given.values[*device] : Value::none(), {},
                device ? given.sources[*device] : Given::kMade);
  return call_as(context, arguments, "c10::cuda::getStreamFromPool");
}

// A variable of the environment in a run with defaults: nobody sets it, but for those that tell a
// process of a launcher what it is.
static bool is_set_by_launchers(std::string_view variable) {
  static constexpr std::string_view kBeginnings[] = {"CUDA_", "MASTER_", "NCCL_",
                                                     "OMPI_", "PMI_",    "SLURM_"};
  return variable.find("RANK") != std::string_view::npos ||
         variable.find("WORLD_SIZE") != std::string_view::npos ||
         std::ranges::any_of(kBeginnings,
                             [&](std::string_view each) { return variable.starts_with(each); });
}

Exits library_function(CallContext& context, const std::string& name, const Given& given) {
  if (std::optional<std::string> current = current_name(name))
    return library_function(context, *current, given);
  if (std::optional<Value> value = sequence_function(context, name, given))
    return one(context, *value);
  if (std::optional<Value> answer = asks_for_function(context, name, given))
    return one(context, *answer);
  if (name.starts_with("builtins.")) {
    if (std::optional<Exits> exits = builtin_function(context, name.substr(9), given))
      return std::move(*exits);
    return one(context, Value::unknown());
  }
  if (std::optional<Exits> stream = make_stream(context, name, given)) return std::move(*stream);
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
    const bool has_default = (method == "get" || method == "getenv") && given.size() == 2 &&
                             !given.is_open &&
                             context.state.find_global(context.name(kHasDefaults)) &&
                             !is_set_by_launchers(context.text(given.values[0]).value_or("CUDA_"));
    if (has_default) return one(context, given.values[1]);
    if (given.size() > 0) return one(context, variable_of_environment(context, given.values[0]));
    return one(context, unknown_scalar(context));
  }
  note_lengths(context, name, given);
  note_autocast(context, name, given);
  if (std::optional<Value> answer = distributed_query(context, name, given))
    return one(context, *answer);
  note_distributed(context, name, given);
  if (std::optional<Value> partial = partial_function(context, name, given))
    return one(context, *partial);
  if (name == "os.path.join") return one(context, joined_path(context, given));
  const bool makes_path = name == "pathlib.Path" || name == "pathlib.PurePath";
  if (makes_path && given.size() > 0) return one(context, path_of(context, given));
  if (std::optional<Value> type = named_tuple_type(context, name, given))
    return one(context, *type);
  if (std::optional<Exits> exits = start_function(context, name, given)) return std::move(*exits);
  if (std::optional<Value> queue = make_queue(context, name)) return one(context, *queue);
  if (std::optional<Exits> exits = distribution_function(context, name, given))
    return std::move(*exits);
  if (std::optional<Exits> exits = torch_function(context, name, given)) return std::move(*exits);
  if (name.starts_with(kTorch)) {
    if (std::optional<Exits> exits = operation(context, name, given)) return std::move(*exits);
  }
  if (std::optional<Exits> exits = einops_function(context, name, given)) return std::move(*exits);
  if (std::optional<Value> network = library_network(context, name, given))
    return one(context, *network);
  if (std::optional<Value> number = library_float(context, name)) return one(context, *number);
  if (std::optional<Value> value = apex_function(context, name, given)) return one(context, *value);
  if (given.size() > 0) note_array_of(context, name, given);
  if (name == "copy.deepcopy" && given.size() > 0) {
    const ObjectId original = context.state.object_id_of(given.values[0]);
    const Value copy = deep_copy(context, given.values[0]);
    if (original != kNoObject && copy.is_object()) note_copy(context, original, copy.object);
    return one(context, copy);
  }
  if (name == "copy.copy") {
    return one(context, given.size() ? context.activation.copy(context.state, given.values[0],
                                                               &context.instruction)
                                     : Value::unknown());
  }
  if (name == "collections.OrderedDict")
    if (std::optional<Exits> exits = builtin_function(context, "dict", given))
      return std::move(*exits);
  if (name == "tqdm.tqdm" || name == "tqdm.auto.tqdm" || name == "tqdm.notebook.tqdm")
    return one(context, given.size() ? given.values[0] : Value::unknown());
  if (std::optional<Value> read = parsed_json(context, name, given)) return one(context, *read);
  if (std::optional<Value> made = make_namespace(context, name, given)) return one(context, *made);
  if (std::optional<Value> value = data_class_function(context, name, given))
    return one(context, *value);
  if (std::optional<Value> made = make_buffer(context, name, given)) return one(context, *made);
  if (std::optional<Value> parser = make_argument_parser(context, name, given))
    return one(context, *parser);
  if (std::optional<Value> executor = make_executor(context, name, given))
    return one(context, *executor);
  if (!models::is_harmless_package(name)) return one(context, forget(context, given));
  // `inspect.isclass(x)` has one answer for a value that the program made, though it is not known:
  // no run can choose the other one.
  if (last_part(name).starts_with("is") && is_about_made(context, given))
    return one(context, lost_scalar(context));
  bool is_object = is_class_name(name);
  if (is_object) {
    Object object = context.library_object(name);
    object.complete = !given.is_open;
    for (size_t i : given.positional()) object.elements.push_back(given.values[i]);
    return one(context, context.make(std::move(object)));
  }
  if (name.starts_with("time.") || name.starts_with("math.") || name.starts_with("os."))
    return one(context, unknown_scalar(context));
  return one(context, Value::unknown());
}

namespace {

// What a data loader yields, of which nothing else is known, is copied to a device.
void note_batch_upload(CallContext& context, const Value& batch, const Place& to,
                       const Given& given) {
  const bool is_of_loader = context.activation.origin_of(batch.origin).loader.made_at != 0;
  if (!is_of_loader || !to.is_accelerator()) return;
  const std::optional<size_t> waits_not = given.named("non_blocking");
  const Value flag = waits_not ? context.state.read(given.values[*waits_not]) : Value::none();
  note_upload(context, batch, flag.is(ValueKind::kBool) && flag.number != 0);
}

}  // namespace

// Whether tensors have the method, and no list, table or text.
static bool is_of_tensors_alone(std::string_view name) {
  constexpr std::string_view kOfOthers[] = {"add",   "clear", "copy",   "count",   "get",
                                            "index", "pop",   "remove", "replace", "sort",
                                            "split", "to",    "type",   "values"};
  if (std::ranges::find(kOfOthers, name) != std::end(kOfOthers)) return false;
  constexpr std::string_view kCasts[] = {"clone", "contiguous", "double", "float",
                                         "half",  "int",        "long"};
  return models::find_operator(name) || std::ranges::find(kCasts, name) != std::end(kCasts);
}

Exits library_method(CallContext& context, const std::string& name, const Given& given) {
  Value self = given.values[0];
  if (name == "query" || name == "synchronize" || name == "wait")
    forget_copies(context.state, context.activation.names());
  if (self.is_tensor()) return tensor_method(context, name, given);
  if (const std::optional<Value> of_batch = batch_tensor(context, self);
      of_batch && is_of_tensors_alone(name)) {
    Given of_tensor = given;
    of_tensor.values[0] = *of_batch;
    return tensor_method(context, name, of_tensor);
  }
  if (const std::optional<Value> tensor = packed_tensor(context, self);
      tensor && (name == "to" || name == "cuda" || name == "cpu")) {
    Given of_tensor = given;
    of_tensor.values[0] = *tensor;
    Exits exits = tensor_method(context, name, of_tensor);
    for (Exit& exit : exits) {
      CallContext after{context.activation, exit.state, context.instruction, context.arguments};
      exit.value = make_packed(after, exit.value);
    }
    return exits;
  }
  if (std::optional<Value> value = generator_method(context, name, given))
    return one(context, *value);
  if (self.is_handle()) return one(context, Value::unknown());  // a stream
  const Object* object = context.state.object_of(self);
  if (object && object->is_module()) return module_method(context, name, given);
  if (std::optional<Exits> exits = attributes_method(context, name, given))
    return std::move(*exits);
  if (std::optional<Exits> exits = container_method(context, name, given)) return std::move(*exits);
  if (object && object->kind == ObjectKind::kLibrary) {
    if (name == "next" || name == "__next__")
      if (std::optional<Exits> batch = batch_of(context, object)) return std::move(*batch);
    if (name == "__call__" || name == "forward")
      if (std::optional<Value> result = transformed(context, self, given.without(1)))
        return one(context, *result);
    if (std::optional<Value> value = argument_parser_method(context, name, given))
      return one(context, *value);
    if (std::optional<Value> value = buffer_method(context, name, given))
      return one(context, *value);
    if (std::optional<Exits> exits = queue_method(context, name, given)) return std::move(*exits);
    if (std::optional<Value> value = hook_handle_method(context, name, self))
      return one(context, *value);
    if (std::optional<Exits> exits = distribution_method(context, name, given))
      return std::move(*exits);
    if (std::optional<Exits> exits = optimizer_method(context, name, given))
      return std::move(*exits);
    if (std::optional<Exits> exits = executor_method(context, name, given))
      return std::move(*exits);
    if (std::optional<Value> value = autograd_context_call(
            context, name, self, {given.values.begin() + 1, given.values.end()}))
      return one(context, *value);
    // What libraries make of their own does not move what it is given; it may fill lists.
    return one(context, open_lists(context, given));
  }
  if (self.is(ValueKind::kParameters) || self.is(ValueKind::kDevice))
    return one(context, Value::unknown());
  bool transfers = name == "to" || name == "cuda" || name == "cpu";
  if (transfers && (self.is(ValueKind::kUnknown) || self.is(ValueKind::kSymbol))) {
    if (std::optional<Place> place = asked_place(context, name, given)) {
      // A tensor on that device, or what is used like one: a batch or a module that is there.
      Value placed = Value::tensor(*place, Rank::kUnknown);
      placed.origin = context.origin(OriginKind::kMoved);
      note_batch_upload(context, self, *place, given);
      return one(context, placed);
    }
  }
  return one(context, forget(context, given));
}

}  // namespace placecheck::dataflow
