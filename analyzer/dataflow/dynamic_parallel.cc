// Modules that run as replicas, by their Python names: DataParallel, one for each device in this
// process, and DistributedDataParallel, one for each process.
#include <algorithm>
#include <set>

#include "analyzer/dataflow/dynamic.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kAveraged = "torch::optim::swa_utils::AveragedModel";
constexpr int kDeepest = 4;

// A tensor, or what holds some, as it arrives on the device of a replica.
Value scattered(CallContext& context, const Value& given, const Place& to, int depth,
                uint32_t& made) {
  Value direct = context.state.read(given);
  if (direct.is_tensor()) {
    Value moved = Value::tensor(to, direct.rank);
    moved.origin = context.origin(OriginKind::kMoved);
    return moved;
  }
  if (batch_tensor(context, direct)) return Value::unknown();
  const Object* object = context.state.object_of(direct);
  if (!object || !is_list(*object) || depth >= kDeepest) return given;
  Object copy = *object;
  for (Value& each : copy.elements) each = scattered(context, each, to, depth + 1, made);
  if (copy.open) copy.rest = scattered(context, copy.rest, to, depth + 1, made);
  return context.make(std::move(copy), 910 + made++);
}

Given scattered(CallContext& context, const Given& given, const Place& to) {
  Given result = given;
  uint32_t made = 0;
  for (Value& value : result.values) value = scattered(context, value, to, 0, made);
  return result;
}

// The device of a wrapper's n-th replica; nothing where there is none, or where it is not known.
std::optional<Place> device_of_replica(CallContext& context, const Object& wrapper, size_t n) {
  const Value* ids = wrapper.find(context.name("device_ids"));
  if (!ids || ids->is(ValueKind::kNone)) return Place::cuda(static_cast<int32_t>(n));
  const Object* list = context.state.object_of(*ids);
  if (!list || list->elements.size() <= n) return std::nullopt;
  Value device = as_device(context, context.state.read(list->elements[n]));
  if (!device.is(ValueKind::kDevice)) return std::nullopt;
  Place place = resolve(context.state, device.place);
  return place.is_known() ? std::optional(place) : std::nullopt;
}

// One replica runs in the thread of the caller.
bool is_on_one_device(CallContext& context, const Object& wrapper) {
  if (has_one_device(context)) return true;
  const Value* ids = wrapper.find(context.name("device_ids"));
  const Object* list = ids ? context.state.object_of(*ids) : nullptr;
  return list && !list->open && list->elements.size() == 1;
}

// What the replicas return, gathered: tensors on the output device, in lists, tuples and tables of
// the same form. What is not known to be something else is taken for a tensor.
Value gathered(CallContext& context, State& state, const Value& returned, const Value& output,
               bool are_several, int depth, uint32_t& made) {
  const Value direct = state.read(returned);
  if (direct.is_tensor() && direct.rank == Rank::kScalar && output.is_tensor() && are_several) {
    Value vector = output;
    vector.rank = at_least(1);
    vector.number = Value::kGatheredScalars;
    return vector;
  }
  if (direct.is_tensor() || direct.is(ValueKind::kUnknown)) return output;
  if (direct.is(ValueKind::kNone)) return direct;
  const Object* structure = state.object_of(direct);
  if (!structure || !is_list(*structure) || depth >= kDeepest) return Value::unknown();
  Object copy = *structure;
  for (Value& each : copy.elements)
    each = gathered(context, state, each, output, are_several, depth + 1, made);
  if (copy.open)
    copy.rest = gathered(context, state, copy.rest, output, are_several, depth + 1, made);
  const ObjectId id = context.activation.allocate(&context.instruction, 940 + made++);
  state.put(id, std::move(copy));
  return Value::object_ref(id);
}

void note_outputs(CallContext& context, const Exit& exit) {
  const Object* structure = exit.state.object_of(exit.value);
  if (!structure || !is_list(*structure)) return note_gathered(context, exit.state, exit.value);
  for (const Value& each : structure->elements)
    note_gathered(context, exit.state, exit.state.read(each));
}

// Whether one of the arguments is certain to be divided among the devices: it has several examples.
bool has_several_examples(CallContext& context, const Given& given) {
  return std::ranges::any_of(given.values, [&](const Value& value) {
    const Object* batch = context.state.object_of(value);
    if (!batch || !is_list(*batch)) return is_divided(context, value);
    return std::ranges::any_of(batch->elements,
                               [&](const Value& part) { return is_divided(context, part); });
  });
}

// Whether a key is computed from the sizes of a tensor, and not from its device.
bool is_about_sizes(Name key, const Names& names) {
  const std::string_view text = names.text(key);
  const auto has = [&](std::string_view part) { return text.find(part) != text.npos; };
  return (has("size(") || has("shape") || has("len(")) && !has("device") && !has("cuda");
}

// The replicas share the tables of the module: the second finds what the first has put there, under
// the same key where that is a size or a literal.
void share_tables(CallContext& context, const State& first, State& second) {
  for (ObjectId id = 0; id < second.object_count() && id < first.object_count(); ++id) {
    if (!first.has(id) || !second.has(id) || !first.object(id).is_map) continue;
    const Object& filled = first.object(id);
    const Value* key = filled.find(context.name(kKeyOfCache));
    const bool is_of_sizes = key && is_about_sizes(key->name, context.activation.names());
    const bool has_grown = filled.elements.size() > context.state.object(id).elements.size() ||
                           (filled.open && !context.state.object(id).open);
    const auto is_placed = [&](const Value& each) {
      return each.is_tensor() && each.place.kind == PlaceKind::kCuda;
    };
    const bool are_placed =
        std::ranges::all_of(filled.elements, is_placed) && (!filled.open || is_placed(filled.rest));
    if (is_of_sizes && has_grown && are_placed) second.put(id, Object(filled));
  }
}

// The second replica runs beside the first, on its own device and with members of its own. What it
// does is dropped with it, but for what it adds to lists. `first_exits`: how the first has ended.
Exits run_second_replica(CallContext& context, ObjectId wrapper, const Value& inner,
                         const Given& given, const Exits& first_exits) {
  ObjectId module = context.state.object_id_of(inner);
  if (module == kNoObject) return {};
  std::optional<Place> device = device_of_replica(context, context.state.object(wrapper), 1);
  std::optional<Place> first = device_of_replica(context, context.state.object(wrapper), 0);
  if (!device || !first || relate(*device, *first) != Relation::kDifferent) return {};
  State state = state_of_replica(context, module, *device);
  for (const Exit& exit : first_exits) share_tables(context, exit.state, state);
  CallContext replica{context.activation, state, context.instruction, context.arguments};
  state.thread.current_device = *device;
  state.thread.selected_at = replica.origin(OriginKind::kMoved);
  return call_value(replica, inner, scattered(replica, given, *device));
}

// The tensor that a replica has added to a list; nothing where it is not known.
std::optional<Value> added_tensor(const State& before, const State& after, ObjectId list) {
  const Object &old = before.object(list), &now = after.object(list);
  const bool has_grown = now.elements.size() > old.elements.size();
  if (!has_grown && (!now.open || old.open)) return std::nullopt;
  const Value tensor = after.decider_of(has_grown ? now.elements.back() : now.rest);
  return tensor.is_tensor() && tensor.place.is_known() ? std::optional(tensor) : std::nullopt;
}

// The replicas share the lists that they do not make themselves, such as one that a hook fills.
void share_lists(CallContext& context, const State& before, State& first, const State& second) {
  for (ObjectId id = 0; id < before.object_count(); ++id) {
    const bool is_there = before.has(id) && first.has(id) && second.has(id);
    if (!is_there || before.object(id).kind != ObjectKind::kContainer || before.object(id).is_map)
      continue;
    const std::optional<Value> one = added_tensor(before, first, id);
    const std::optional<Value> other = added_tensor(before, second, id);
    if (!one || !other || relate(one->place, other->place) != Relation::kDifferent) continue;
    Object& list = first.edit(id);
    list.set(context.name(kOfFirstReplica), *one);
    list.set(context.name(kOfSecondReplica), *other);
  }
}

// Each replica has members of its own: what a forward assigns to them is lost.
void restore_members(const State& before, State& after, ObjectId root) {
  auto is_there = [&](const Value& value) {
    if (value.refers_to_object()) return after.has(value.object);
    return value.place.kind != PlaceKind::kCell || after.has(value.place.symbol);
  };
  for (ObjectId id : modules_below(before, root)) {
    if (!after.has(id) || !before.object(id).type) continue;
    Object& object = after.edit(id);
    for (auto& [name, value] : object.fields) {
      const Value* old = before.object(id).find(name);
      if (old && same(*old, value)) continue;
      value = old && is_there(*old) ? *old : Value::unknown();
    }
  }
}

// The ids in a list as Python prints them; empty where it is not known which there are.
std::vector<std::string> listed_ids(CallContext& context, const Value& list) {
  std::vector<std::string> ids;
  const Object* object = context.state.object_of(list);
  // A list of all devices has two of them at least.
  const bool has_known_ids = object && (!object->open || object->elements.size() > 1);
  if (!has_known_ids || !is_list(*object)) return ids;
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

}  // namespace

bool is_data_parallel(CallContext& context, const Object& module) {
  return !module.type && context.activation.names().text(module.type_name) == kDataParallel;
}

bool is_distributed(CallContext& context, const Object& module) {
  return !module.type && context.activation.names().text(module.type_name) == kDistributed;
}

bool is_averaged(CallContext& context, const Object& module) {
  return !module.type && context.activation.names().text(module.type_name) == kAveraged;
}

// Whether all that is known of a module's parameters and buffers is on other devices.
static bool is_off(CallContext& context, ObjectId module, const Place& device) {
  std::vector<std::pair<std::string, Value>> tensors;
  registered_tensors(context.state, context.activation.names(), module, "", tensors);
  return !tensors.empty() && std::ranges::all_of(tensors, [&](const auto& tensor) {
    return relate(context.state.place_of(tensor.second), device) == Relation::kDifferent;
  });
}

Exits call_data_parallel(CallContext& context, const Value& wrapper, const Given& given) {
  Given with_self;
  with_self.add(wrapper, {}, 0);
  Exits ran =
      call_as(context, with_self, std::string(kDataParallel) + "::forward", ir::CallKind::kMethod);
  if (ran.empty()) return ran;
  context.state = std::move(ran.front().state);
  Value output = ran.front().value;
  ObjectId id = context.state.object_id_of(wrapper);
  if (id == kNoObject || context.state.object(id).registered.empty()) return one(context, output);
  Value inner = context.state.read(context.state.object(id).registered[0].value);
  ObjectId module = context.state.object_id_of(inner);
  std::optional<Place> first = device_of_replica(context, context.state.object(id), 0);
  // The call ends with an error where the module is elsewhere.
  if (first && module != kNoObject && is_off(context, module, *first)) return one(context, output);
  const bool are_several =
      !has_one_device(context) && device_of_replica(context, context.state.object(id), 1);
  const bool has_replicas = are_several && has_several_examples(context, given);
  State before = context.state;
  Given parts = given;
  if (output.is_tensor()) parts = scattered(context, given, first.value_or(Place::unknown()));
  // A thread of its own runs each of several replicas on its device.
  const ThreadState caller = context.state.thread;
  const bool has_own_thread = !is_on_one_device(context, context.state.object(id));
  if (has_own_thread) context.state.thread.current_device = first.value_or(Place::unknown());
  Exits exits = call_value(context, inner, parts);
  for (Exit& exit : exits) {
    if (has_own_thread) {
      exit.state.thread.current_device = caller.current_device;
      exit.state.thread.selected_at = caller.selected_at;
    }
    if (has_own_thread) note_outputs(context, exit);
    uint32_t made = 0;
    const bool is_lost = !are_several && exit.state.read(exit.value).is(ValueKind::kUnknown);
    if (!is_lost)
      exit.value = gathered(context, exit.state, exit.value, output, has_replicas, 0, made);
    if (has_replicas && module != kNoObject) restore_members(before, exit.state, module);
  }
  if (!has_replicas) return exits;
  CallContext again{context.activation, before, context.instruction, context.arguments};
  const Exits others = run_second_replica(again, id, inner, given, exits);
  if (exits.size() == 1 && others.size() == 1)
    share_lists(context, before, exits.front().state, others.front().state);
  return exits;
}

Exits call_distributed(CallContext& context, const Object& wrapper, const Given& given) {
  if (wrapper.registered.empty()) return one(context, Value::unknown());
  Value inner = context.state.read(wrapper.registered[0].value);
  const Value* devices = wrapper.find(context.name("device_ids"));
  // Without devices older releases take all, and move what they are given.
  Place place = Place::unknown();
  ObjectId id = context.state.object_id_of(inner);
  if (devices && !devices->is(ValueKind::kNone) && id != kNoObject)
    place = parameter_of(context.activation, context.state, id).place;
  return call_value(context, inner, scattered(context, given, place));
}

Exits make_data_parallel(CallContext& context, const Given& given) {
  Given arguments = arranged(context, given, "module,device_ids,output_device");
  if (arguments.size() > 2) arguments.values[2] = as_device(context, arguments.values[2]);
  return call_as(context, arguments, std::string(kDataParallel), ir::CallKind::kConstruct);
}

// AveragedModel: a copy, with how many were averaged, which runs as the module does.
Value make_averaged(CallContext& context, const Given& given) {
  const std::optional<size_t> model = given.find("model", 0);
  Value copy = model ? deep_copy(context, given.values[*model]) : Value::unknown();
  Object wrapper;
  wrapper.kind = ObjectKind::kModule;
  wrapper.type_name = context.name(kAveraged);
  wrapper.origin = context.origin(OriginKind::kBuilt);
  wrapper.registered.push_back({context.name("module"), RegisteredKind::kModule, copy, {}});
  const Value made = context.make(std::move(wrapper));
  const std::optional<size_t> device = given.find("device", 1);
  const bool is_moved = device && !given.values[*device].is(ValueKind::kNone);
  const ObjectId id = context.state.object_id_of(copy);
  if (is_moved && id != kNoObject) {
    const Value place = as_device(context, given.values[*device]);
    move_module(
        context.state, id,
        place.is(ValueKind::kDevice) ? resolve(context.state, place.place) : Place::unknown(),
        context.origin(OriginKind::kMoved));
  }
  return made;
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
  const bool lists_none = !devices || given.values[*devices].is(ValueKind::kNone);
  event.needs_gpu =
      lists_none && has_nccl_group(context) && !given.named("process_group") && !given.is_open;
  if (devices && !given.is_open) event.device_ids = listed_ids(context, given.values[*devices]);
  context.activation.notify(event, context.state);
  note_wrapped_device(context, event);
  return made;
}

namespace {

// The devices of a list that is known, in its order; none for others.
std::vector<Place> devices_in(CallContext& context, const Value& given) {
  const Object* list = context.state.object_of(given);
  if (!list || !is_list(*list) || list->open || list->is_map) return {};
  std::vector<Place> devices;
  for (const Value& each : std::vector<Value>(list->elements)) {
    const Value device = as_device(context, context.state.read(each));
    const Place place =
        device.is(ValueKind::kDevice) ? resolve(context.state, device.place) : Place::unknown();
    if (!place.is_known()) return {};
    devices.push_back(place);
  }
  return devices;
}

// replicate(network, devices): a copy on each.
Value replicas_of(CallContext& context, const Given& given) {
  constexpr uint32_t kObjectsPerReplica = 4000;
  const std::optional<size_t> network = given.find("network", 0), at = given.find("devices", 1);
  const std::vector<Place> devices =
      network && at ? devices_in(context, given.values[*at]) : std::vector<Place>();
  if (devices.empty() || devices.size() > static_cast<size_t>(kMostTurns)) return Value::unknown();
  const Value module = context.state.read(given.values[*network]);
  const ObjectId original = context.state.object_id_of(module);
  if (original == kNoObject || !context.state.object(original).is_module()) return Value::unknown();
  std::vector<Value> replicas;
  for (const Place& device : devices) {
    const auto number = static_cast<uint32_t>(replicas.size() + 1);
    const Value replica = deep_copy(context, module, number * kObjectsPerReplica);
    if (const ObjectId id = context.state.object_id_of(replica); id != kNoObject)
      move_module(context.state, id, device, context.origin(OriginKind::kMoved));
    replicas.push_back(replica);
  }
  return make_list(context, std::move(replicas), ObjectKind::kContainer, 890);
}

// scatter(inputs, target_gpus): a part on each.
Value scattered_parts(CallContext& context, const Given& given) {
  const std::optional<size_t> inputs = given.find("inputs", 0), at = given.find("target_gpus", 1);
  const std::vector<Place> devices =
      inputs && at ? devices_in(context, given.values[*at]) : std::vector<Place>();
  if (devices.empty()) return Value::unknown();
  uint32_t made = 0;
  std::vector<Value> parts;
  for (const Place& device : devices)
    parts.push_back(scattered(context, given.values[*inputs], device, 0, made));
  return make_list(context, std::move(parts), ObjectKind::kTuple, 891);
}

// parallel_apply(modules, inputs, kwargs_tup, devices): each module on its input, in a thread whose
// current device is that of the input.
Value applied_in_parallel(CallContext& context, const Given& given) {
  const auto elements_of = [&](std::string_view name, size_t position) {
    const std::optional<size_t> at = given.find(name, position);
    const Object* list = at ? context.state.object_of(given.values[*at]) : nullptr;
    return list && is_list(*list) && !list->open ? list->elements : std::vector<Value>();
  };
  const std::vector<Value> modules = elements_of("modules", 0), inputs = elements_of("inputs", 1);
  if (modules.empty() || modules.size() != inputs.size()) return Value::unknown();
  const ThreadState caller = context.state.thread;
  std::vector<Value> outputs;
  for (size_t i = 0; i < modules.size(); ++i) {
    const Value input = context.state.read(inputs[i]);
    const Object* tuple = context.state.object_of(input);
    Given arguments;
    std::vector<Value> parts{input};
    if (tuple && is_list(*tuple)) parts = tuple->elements;
    for (const Value& each : parts) arguments.add(each, {}, Given::kMade);
    if (arguments.size() > 0 && context.state.read(arguments.values[0]).is_tensor())
      context.state.thread.current_device = context.state.place_of(arguments.values[0]);
    Exits exits = call_value(context, modules[i], arguments);
    if (exits.empty()) return Value::unknown();
    context.state = std::move(exits.front().state);
    outputs.push_back(exits.front().value);
  }
  context.state.thread = caller;
  return make_list(context, std::move(outputs), ObjectKind::kContainer, 892);
}

// gather(outputs, target_device): one tensor there.
Value gathered_there(CallContext& context, const Given& given) {
  const std::optional<size_t> outputs = given.find("outputs", 0),
                              target = given.find("target_device", 1);
  const Object* list = outputs ? context.state.object_of(given.values[*outputs]) : nullptr;
  if (!list || !is_list(*list) || !target || list->elements.empty()) return Value::unknown();
  Value gathered = context.state.decider_of(list->elements[0]);
  const Value device = as_device(context, given.values[*target]);
  if (!gathered.is_tensor() || !device.is(ValueKind::kDevice)) return Value::unknown();
  gathered.place = resolve(context.state, device.place);
  gathered.origin = context.origin(OriginKind::kMoved);
  return gathered;
}

}  // namespace

std::optional<Value> parallel_function(CallContext& context, std::string_view name,
                                       const Given& given) {
  constexpr std::string_view kLibrary = "torch.nn.parallel.";
  const std::string_view function = last_part(name);
  if (!name.starts_with(kLibrary) || given.is_open) return std::nullopt;
  if (function == "replicate") return replicas_of(context, given);
  if (function == "scatter") return scattered_parts(context, given);
  if (function == "parallel_apply") return applied_in_parallel(context, given);
  if (function == "gather") return gathered_there(context, given);
  return std::nullopt;
}

}  // namespace placecheck::dataflow
