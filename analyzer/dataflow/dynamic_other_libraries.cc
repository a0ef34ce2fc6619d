// What training programs use beside PyTorch, by its Python names: processes and threads,
// torchvision, timm, transformers, apex, numpy.
#include <algorithm>
#include <iterator>
#include <set>

#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/identity.h"
#include "analyzer/dataflow/new_thread.h"
#include "analyzer/dataflow/scalars.h"
#include "analyzer/ir/walk.h"

namespace placecheck::dataflow {
namespace {

// The library whose processes are spawned, and the global that says whether others are, too.
constexpr std::string_view kSpawnContext = "multiprocessing.context.SpawnContext";
constexpr std::string_view kSpawnsProcesses = "<processes are spawned>";

// A network of a library that makes its own: its state is on the CPU, its layers are not known.
Value make_network(CallContext& context, std::string_view name) {
  Object network;
  network.kind = ObjectKind::kModule;
  network.type_name = context.name("torch::jit::" + std::string(last_part(name)));
  network.origin = context.origin(OriginKind::kBuilt);
  const Value made = context.make(std::move(network), 988);
  add_network_state(context, made.object);
  return made;
}

// Functions of libraries that yield a network, on the CPU unless they are told otherwise.
bool makes_network(std::string_view name, const Given& given) {
  static constexpr std::string_view kElsewhere[] = {"device", "device_map", "load_in_4bit",
                                                    "load_in_8bit", "quantization_config"};
  if (last_part(name) == "IntermediateLayerGetter") return true;
  if (name.starts_with("torchvision.models."))
    return !is_class_name(name) && last_part(name) != "get_model_weights" &&
           last_part(name) != "list_models";
  bool is_elsewhere = given.is_open || std::ranges::any_of(kElsewhere, [&](std::string_view each) {
                        return given.named(each).has_value();
                      });
  if (is_elsewhere) return false;
  bool is_pretrained = name.starts_with("transformers.") && name.ends_with(".from_pretrained");
  bool is_model =
      name.find("Model") != std::string_view::npos || name.find("For") != std::string_view::npos;
  // Of the classes, those that have parameters.
  static constexpr std::string_view kOfTimm[] = {
      "Attention", "Block", "Mlp", "PatchEmbed", "VisionTransformer", "create_model"};
  const bool is_of_timm =
      name.starts_with("timm.") && std::ranges::find(kOfTimm, last_part(name)) != std::end(kOfTimm);
  return is_of_timm || (is_pretrained && is_model);
}

// Functions that convert what they are given to arrays: plots, and metrics.
bool draws_or_measures(std::string_view name) {
  static constexpr std::string_view kPlots[] = {
      "bar",          "barh",       "boxplot", "contour", "contourf",  "errorbar",
      "fill_between", "hexbin",     "hist",    "hist2d",  "imshow",    "loglog",
      "matshow",      "pcolormesh", "plot",    "quiver",  "scatter",   "semilogx",
      "semilogy",     "stackplot",  "stem",    "step",    "violinplot"};
  if (name.starts_with("sklearn.metrics.")) return !is_class_name(name);
  if (name.starts_with("numpy.random."))
    return !is_class_name(name) && last_part(name) != "shuffle" && last_part(name) != "seed";
  return name.starts_with("matplotlib.pyplot.") &&
         std::ranges::find(kPlots, last_part(name)) != std::end(kPlots);
}

}  // namespace

void add_network_state(CallContext& context, ObjectId network) {
  Value tensor = Value::tensor(Place::cpu(), Rank::kNonScalar);
  tensor.origin = context.state.object(network).origin;
  Object cell;
  cell.kind = ObjectKind::kCell;
  cell.elements.push_back(tensor);
  const Value state =
      Value::tensor(Place::cell(context.make(std::move(cell), 987).object), Rank::kNonScalar);
  context.state.edit(network).registered.push_back(
      {context.name(kModuleState), RegisteredKind::kParameter, state, {}});
}

std::optional<Value> library_network(CallContext& context, std::string_view name,
                                     const Given& given) {
  if (!makes_network(name, given)) return std::nullopt;
  // What takes layers of another network has them where that has been moved.
  const ObjectId source =
      given.size() > 0 ? context.state.object_id_of(given.values[0]) : kNoObject;
  const bool is_elsewhere = source != kNoObject && context.state.object(source).is_module() &&
                            !parameter_of(context.activation, context.state, source).place.is_cpu();
  return is_elsewhere ? std::nullopt : std::optional(make_network(context, name));
}

std::optional<Value> library_float(CallContext& context, std::string_view name) {
  static constexpr std::string_view kFloats[] = {"math.acos",
                                                 "math.asin",
                                                 "math.atan",
                                                 "math.atan2",
                                                 "math.cos",
                                                 "math.exp",
                                                 "math.fsum",
                                                 "math.hypot",
                                                 "math.log",
                                                 "math.log10",
                                                 "math.log1p",
                                                 "math.log2",
                                                 "math.pow",
                                                 "math.sin",
                                                 "math.sqrt",
                                                 "math.tan",
                                                 "math.tanh",
                                                 "random.gauss",
                                                 "random.random",
                                                 "random.uniform",
                                                 "time.monotonic",
                                                 "time.perf_counter",
                                                 "time.process_time",
                                                 "time.time",
                                                 "timeit.default_timer"};
  if (std::ranges::find(kFloats, name) == std::end(kFloats)) return std::nullopt;
  return Value::symbol(context.name(kSomeFloat));
}

std::optional<Value> apex_function(CallContext& context, std::string_view name,
                                   const Given& given) {
  if (!name.starts_with("apex.") || given.size() == 0 || given.is_open) return std::nullopt;
  // What it patches stays where it is, and is what it was.
  if (name == "apex.parallel.convert_syncbn_model" || name == "apex.amp.scale_loss")
    return given.values[0];
  if (name != "apex.amp.initialize") return std::nullopt;
  const std::optional<size_t> models = given.find("models", 0);
  const std::optional<size_t> optimizers = given.find("optimizers", 1);
  if (!models) return std::nullopt;
  if (!optimizers) return given.values[*models];
  return make_list(context, {given.values[*models], given.values[*optimizers]}, ObjectKind::kTuple,
                   986);
}

// Whether the function adds something to its first parameter, or subtracts, or lets another one.
bool computes_with_rank(CallContext& context, const Value& function) {
  const Object* closure = context.state.object_of(function);
  if (!closure || !closure->function || closure->function->parameters.empty()) return false;
  const std::string& rank = closure->function->parameters.front().name;
  std::set<ir::Register> ranks;
  bool computes = false;
  ir::walk_instructions(*closure->function, [&](const ir::Instruction& each, ir::InstructionPlace) {
    if (each.opcode == ir::Opcode::kLoad && each.symbol == rank) ranks.insert(each.result);
    if (each.opcode != ir::Opcode::kCall) return;
    const bool may_compute = each.call.name == "op.add" || each.call.name == "op.sub" ||
                             each.call.name == "object.call" || !each.call.key.empty();
    if (!may_compute) return;
    computes |= std::ranges::any_of(each.call.arguments, [&](const ir::Argument& argument) {
      return ranks.contains(argument.value);
    });
  });
  return computes;
}

// Where there is a process for each device, the last one's rank is the number of devices less one.
void call_for_last_device(CallContext& context, const Value& function, Given arguments) {
  Names& names = context.activation.names();
  State last = context.state;
  last.set_global(names.intern(kIsLastDevice), Value::boolean(true));
  CallContext call{context.activation, last, context.instruction, context.arguments};
  begin_without_group(call);
  const Value count = Value::symbol(names.intern(kDeviceCount));
  arguments.values[0] = *evaluate("op.sub", count, Value::integer(1), names, 0);
  call_value(call, function, arguments);
}

// How processes are started from here on, or from a context: by default they are forked.
std::optional<Exits> choose_start_method(CallContext& context, std::string_view name,
                                         const Given& given) {
  const bool sets = name.ends_with("multiprocessing.set_start_method");
  if (!sets && !name.ends_with("multiprocessing.get_context")) return std::nullopt;
  const std::optional<size_t> method = given.find("method", 0);
  const bool spawns = method && (context.text(given.values[*method]) == "spawn" ||
                                 context.text(given.values[*method]) == "forkserver");
  if (!sets)
    return one(context, library_value(context, std::string(spawns ? kSpawnContext
                                                                  : "torch.multiprocessing")));
  context.state.set_global(context.name(kSpawnsProcesses), Value::boolean(spawns));
  return one(context, Value::none());
}

// Whoever goes on sees what a thread did that comes to its end.
Exits run_thread(CallContext& context, const Value& function, const Given& arguments) {
  State before = context.state;
  Exits exits =
      run_in_new_thread(context, [&] { return call_value(context, function, arguments); });
  if (exits.empty()) exits.push_back({std::move(before), Value::unknown()});
  for (Exit& exit : exits) {
    CallContext after{context.activation, exit.state, context.instruction, context.arguments};
    exit.value = after.make(after.library_object("threading.Thread"));
  }
  return exits;
}

std::optional<Exits> start_function(CallContext& context, const std::string& name,
                                    const Given& given) {
  if (std::optional<Exits> chosen = choose_start_method(context, name, given)) return chosen;
  bool spawns = name == "torch.multiprocessing.spawn" ||
                name == "torch.multiprocessing.spawn.spawn" ||
                name == "torch.multiprocessing.start_processes";
  const bool is_of_context = name == std::string(kSpawnContext) + ".Process";
  bool starts = name == "torch.multiprocessing.Process" || name == "multiprocessing.Process" ||
                name == "threading.Thread" || is_of_context;
  if (!spawns && !starts) return std::nullopt;
  std::optional<size_t> function = spawns ? given.find("fn", 0) : given.named("target");
  std::optional<size_t> list = spawns ? given.find("args", 1) : given.named("args");
  if (!function) return std::nullopt;
  Given arguments;
  if (spawns) arguments.add(Value::symbol(context.name(kRankOfProcess)), {}, Given::kMade);
  if (list) {
    const Object* object = context.state.object_of(given.values[*list]);
    if (!object || object->open || !is_list(*object)) return std::nullopt;
    for (const Value& each : std::vector<Value>(object->elements))
      arguments.add(context.state.read(each), {}, Given::kMade);
  }
  const bool is_thread = name == "threading.Thread";
  if (is_thread) return run_thread(context, given.values[*function], arguments);
  State there = context.state;
  CallContext call{context.activation, there, context.instruction, context.arguments};
  if (!spawns) there.thread = ThreadState();
  // A process that is spawned starts the runtime of the devices itself.
  const Value* chosen = context.state.find_global(context.name(kSpawnsProcesses));
  const bool is_chosen = chosen && same(*chosen, Value::boolean(true));
  if (spawns || is_of_context || is_chosen) there.setup.start = DeviceSetup::Start::kNo;
  begin_without_group(call);
  call_value(call, given.values[*function], arguments);
  const std::optional<size_t> processes = spawns ? given.find("nprocs", 2) : std::nullopt;
  const bool is_one_for_each_device =
      processes &&
      is_device_count(context.state.read(given.values[*processes]), context.activation.names());
  if (is_one_for_each_device && computes_with_rank(context, given.values[*function]))
    call_for_last_device(context, given.values[*function], std::move(arguments));
  return one(context, context.make(context.library_object(name)));
}

std::optional<Exits> start_thread(CallContext& context, const std::string& name,
                                  const Value& self) {
  const Object* object = context.state.object_of(self);
  if (name != "start" || !object || !object->type) return std::nullopt;
  if (!derives_from_library(context.activation, *object->type, "threading.Thread"))
    return std::nullopt;
  const FoundMethod run = find_method(context.activation, *object->type, "run");
  if (!run.function || !run.how.empty()) return std::nullopt;
  // Whoever waits for it sees what it did, so that this goes on behind its end.
  Exits exits =
      run_in_new_thread(context, [&] { return call_function(context, *run.function, {self}, {}); });
  if (exits.empty()) return one(context, Value::none());
  for (Exit& exit : exits) exit.value = Value::none();
  return exits;
}

std::optional<Value> transformed(CallContext& context, const Value& transform, const Given& given) {
  const Object* object = context.state.object_of(transform);
  if (!object || object->kind != ObjectKind::kLibrary || given.size() == 0) return std::nullopt;
  const std::string& type = context.activation.names().text(object->type_name);
  if (!type.starts_with("torchvision.transforms.")) return std::nullopt;
  if (given.values[0].is_tensor()) {
    Value same = context.state.decider_of(given.values[0]);
    same.rank = Rank::kNonScalar;
    return same;
  }
  if (!given.values[0].is(ValueKind::kUnknown)) return std::nullopt;
  std::vector<Value> steps{transform};
  if (type.ends_with(".Compose") && !object->elements.empty()) {
    const Object* list = context.state.object_of(object->elements[0]);
    if (list && is_list(*list)) steps = list->elements;
  }
  bool yields_tensor = std::ranges::any_of(steps, [&](const Value& step) {
    const Object* each = context.state.object_of(step);
    if (!each || each->kind != ObjectKind::kLibrary) return false;
    std::string_view last = last_part(context.activation.names().text(each->type_name));
    return last == "ToTensor" || last == "PILToTensor" || last == "ToImage";
  });
  if (!yields_tensor) return std::nullopt;
  return host_tensor(context);
}

void note_host_array(CallContext& context, const Given& given, size_t i, bool is_element) {
  Value tensor = context.state.read(given.values[i]);
  if (!tensor.is_tensor() || given.is_tried) return;
  Value decider = context.state.decider_of(tensor);
  HostArrayEvent event;
  event.site = context.activation.site(context.instruction.range);
  event.range = context.range(given.sources[i]);
  event.is_element = is_element;
  event.place = context.state.place_of(tensor);
  event.origin = decider.origin;
  context.activation.notify(event, context.state);
}

// One picture of all that a batch or a list has, where these are.
Value grid_of(CallContext& context, const Given& given) {
  Value pictures = context.state.read(given.values[0]);
  const Object* list = context.state.object_of(pictures);
  if (list && is_list(*list)) {
    if (list->elements.empty() && !list->open) return Value::unknown();
    pictures = context.state.read(list->elements.empty() ? list->rest : list->elements[0]);
  }
  if (!pictures.is_tensor()) return Value::unknown();
  Value grid = Value::tensor(context.state.place_of(pictures), at_least(3));
  grid.origin = context.state.decider_of(pictures).origin;
  return grid;
}

// `np.asarray(x)`, and what makes an array of a list first: `np.mean(losses)`.
void note_array_of(CallContext& context, const std::string& name, const Given& given) {
  if (draws_or_measures(name)) {
    for (size_t i = 0; i < given.size(); ++i) note_host_array(context, given, i);
  }
  if (!name.starts_with("numpy.")) return;
  static constexpr std::string_view kArrays[] = {"numpy.array", "numpy.asanyarray", "numpy.asarray",
                                                 "numpy.ascontiguousarray"};
  static constexpr std::string_view kReductions[] = {
      "numpy.average", "numpy.concatenate", "numpy.max",   "numpy.mean", "numpy.median",
      "numpy.min",     "numpy.percentile",  "numpy.stack", "numpy.std",  "numpy.sum"};
  bool makes_array = std::ranges::find(kArrays, name) != std::end(kArrays);
  if (makes_array) note_host_array(context, given, 0);
  bool reduces = std::ranges::find(kReductions, name) != std::end(kReductions);
  const Object* list = context.state.object_of(given.values[0]);
  if ((!makes_array && !reduces) || !list || !is_list(*list)) return;
  if (list->elements.empty() && !list->open) return;
  Given element;
  element.is_tried = given.is_tried;
  element.add(list->open ? list->rest : list->elements[0], {}, given.sources[0]);
  note_host_array(context, element, 0, /*is_element=*/true);
}

}  // namespace placecheck::dataflow
