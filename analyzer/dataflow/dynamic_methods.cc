// Methods of tensors and modules.
#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/dataflow/async_copies.h"
#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/host_traffic.h"
#include "analyzer/dataflow/optimizers.h"
#include "analyzer/dataflow/scalars.h"
#include "analyzer/dataflow/symbols.h"
#include "analyzer/models/libraries/python_names.h"

namespace placecheck::dataflow {
namespace {

// Converted to the type that it has already, it is the same object and can be registered.
bool is_parameter(const Value& value) {
  return value.is_tensor() && value.place.kind == PlaceKind::kCell && value.requires_grad;
}

// `x.to(...)`: the device, by name or by position, and nothing else.
Exits transfer(CallContext& context, const std::string& name, const Given& given) {
  Given arguments;
  bool asks_for_type = name == "to";
  arguments.add(given.values[0], {}, given.sources[0]);
  const bool is_tensor = given.values[0].is_tensor();
  const size_t waits_not = given.named("non_blocking").value_or(given.size());
  const bool says_whether_to_wait = is_tensor && waits_not < given.size();
  std::optional<size_t> device = given.named("device");
  std::vector<size_t> positional = given.positional();
  if (!device && positional.size() > 1) device = positional[1];
  // `layer.to(weight)`: where that tensor is.
  if (!device && !is_tensor) device = given.named("tensor");
  if (name == "cuda") {
    Value place = device ? as_device(context, given.values[*device]) : Value::none();
    if (place.is(ValueKind::kNone)) {
      if (says_whether_to_wait)
        arguments.add(given.values[waits_not], {}, given.sources[waits_not]);
      if (is_tensor) return call_as(context, arguments, "at::Tensor::cuda", ir::CallKind::kMethod);
      place = Value::device(Place::cuda(Place::kCurrent));
      place.origin = context.origin(OriginKind::kNamed);
    }
    arguments.add(place, {}, device ? given.sources[*device] : Given::kMade);
  } else if (name == "cpu") {
    if (is_tensor) return call_as(context, arguments, "at::Tensor::cpu", ir::CallKind::kMethod);
    Value place = Value::device(Place::cpu());
    place.origin = context.origin(OriginKind::kNamed);
    arguments.add(place, {}, Given::kMade);
  } else if (device) {
    Value value = given.values[*device];
    bool is_type = value.is(ValueKind::kOptions);
    const std::optional<std::string> library = library_name(context, value);
    is_type |= library && library->starts_with("torch.");
    if (value.is(ValueKind::kString) || value.is(ValueKind::kInt) || value.is(ValueKind::kSymbol))
      value = as_device(context, value);
    if (is_type) value = Value::options();
    if (!is_tensor && value.is_tensor()) {
      const OriginId origin = context.state.decider_of(value).origin;
      value = Value::device(context.state.place_of(value));
      value.origin = origin;
    }
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
  if (says_whether_to_wait)
    arguments.add(context.state.read(given.values[waits_not]), {}, given.sources[waits_not]);
  Exits exits = call_as(context, arguments, is_tensor ? "at::Tensor::to" : "torch::nn::Module::to",
                        ir::CallKind::kMethod);
  // A copy of a parameter has a gradient and is no parameter.
  for (Exit& exit : exits) {
    if (is_tensor && exit.value.is_tensor())
      exit.value.requires_grad = given.values[0].requires_grad;
  }
  return exits;
}

// Where the tensors and modules of an object are that are no state of a module, those in its lists
// as well. `registered`: the modules that are.
void lose_members(State& state, ObjectId id, const std::set<ObjectId>& registered, int depth = 0) {
  constexpr int kDeepest = 3;
  std::vector<ObjectId> lists;
  std::vector<ObjectId> modules;
  const auto lose = [&](Value& value) {
    if (value.is_tensor() && value.place.kind != PlaceKind::kCell) value.place = Place::unknown();
    const ObjectId held = state.object_id_of(value);
    if (held == kNoObject) return;
    if (is_list(state.object(held))) lists.push_back(held);
    if (state.object(held).is_module() && !registered.contains(held)) modules.push_back(held);
  };
  Object& object = state.edit(id);
  for (auto& [field, value] : object.fields) lose(value);
  if (depth > 0) {
    std::ranges::for_each(object.elements, lose);
    lose(object.rest);
  }
  for (const ObjectId module : modules) move_module(state, module, Place::unknown(), 0);
  if (depth == kDeepest) return;
  for (const ObjectId list : lists) lose_members(state, list, registered, depth + 1);
}

// Classes that say themselves what a transfer does, in `_apply`: where their other members are
// afterwards is not known.
void leave_to_apply(CallContext& context, State& state, ObjectId root) {
  const std::set<ObjectId> registered = modules_below(state, root);
  for (ObjectId id : registered) {
    const ir::Class* type = state.object(id).type;
    if (!type || !find_method(context.activation, *type, "_apply").function) continue;
    lose_members(state, id, registered);
  }
}

// The modules of a list, each behind its name, as far as that is known.
Value with_names(CallContext& context, const Value& modules) {
  const Object* found = context.state.object_of(modules);
  if (!found || !is_list(*found)) return Value::unknown();
  Object list = *found;
  const std::vector<Value> keys = std::exchange(list.keys, {});
  uint32_t made = 0;
  const auto add_name = [&](Value& module, const Value& name) {
    if (!module.is_object()) return;
    module = make_list(context, {name, module}, ObjectKind::kTuple, 890 + made++);
  };
  for (size_t i = 0; i < list.elements.size(); ++i)
    add_name(list.elements[i], i < keys.size() ? keys[i] : unknown_scalar(context));
  add_name(list.rest, unknown_scalar(context));
  return context.make(std::move(list), 889);
}

// numel() and size(0) of a tensor that has no elements; its other sizes are not known. Nothing for
// other methods.
std::optional<Value> size_of_nothing(CallContext& context, const std::string& name,
                                     const Given& given) {
  if (name == "numel" || name == "nelement") return Value::integer(0);
  if (name != "size") return std::nullopt;
  if (given.size() < 2) return lost_scalar(context);
  const Value dimension = context.state.read(given.values.back());
  const bool is_first = dimension.is(ValueKind::kInt) && dimension.number == 0;
  return is_first ? std::optional(Value::integer(0)) : std::nullopt;
}

// `x.type()`.
Value type_of_tensor(CallContext& context, const Value& tensor) {
  const Place place = context.state.place_of(tensor);
  const Value own = unknown_scalar(context);
  if (!place.is_known()) return own;
  Names& names = context.activation.names();
  const Name kind = names.intern(place.is_cpu() ? "cpu" : "cuda");
  return Value::symbol(names.term(kTensorType, {kind, own.name}));
}

}  // namespace

Value table_of_children(CallContext& context, ObjectId module) {
  Object table;
  table.kind = ObjectKind::kContainer;
  table.is_map = true;
  if (is_network(context, module)) {
    open_container(table);
    table.rest = part_of_network(context, module);
    return context.make(std::move(table), 888);
  }
  const Object& object = context.state.object(module);
  if (!object.complete) return Value::unknown();
  for (const Registered& each : object.registered) {
    if (each.kind != RegisteredKind::kModule) continue;
    if (!each.either.empty()) return Value::unknown();
    append(table, context.state.read(each.value), Value::string(each.name));
  }
  return context.make(std::move(table), 888);
}

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

// `backward()` without a gradient and `item()` take one number.
static void note_gathered_scalars(CallContext& context, const std::string& name,
                                  const Given& given) {
  const Value self = context.state.read(given.values[0]);
  const bool takes_one = name == "item" || (name == "backward" && given.size() == 1);
  const bool is_vector = self.is_tensor() && self.number == Value::kGatheredScalars;
  if (!takes_one || !is_vector || given.is_tried || given.is_open) return;
  GatheredScalarsEvent event;
  event.site = context.activation.site(context.instruction.range);
  event.receiver = context.range(0);
  event.method = name;
  event.gathered = self.origin;
  context.activation.notify(event, context.state);
}

// Where what is converted to "torch.cuda.FloatTensor", the class or its name, is put; nullopt for a
// dtype, which leaves it where it is.
static std::optional<Place> place_of_type(CallContext& context, const Value& type) {
  if (context.state.read(type).is(ValueKind::kOptions)) return std::nullopt;
  std::optional<std::string> name = context.text(type);
  if (!name) name = library_name(context, type);
  if (!name) return Place::unknown();
  if (name->find("Tensor") == std::string::npos) return std::nullopt;
  return name->find("cuda") == std::string::npos ? Place::cpu()
                                                 : context.state.thread.current_device;
}

// `net.type(torch.cuda.FloatTensor)` moves the module.
static Exits convert_module(CallContext& context, const Given& given) {
  const std::optional<Place> place = place_of_type(context, given.values[1]);
  if (!place) return one(context, given.values[0]);
  Value device = Value::device(*place);
  device.origin = context.origin(OriginKind::kNamed);
  Given moved;
  moved.add(given.values[0], {}, given.sources[0]);
  moved.add(device, {}, given.sources[1]);
  return module_method(context, "to", moved);
}

Exits tensor_method(CallContext& context, const std::string& name, const Given& given) {
  if (name == "to" || name == "cuda" || name == "cpu") return transfer(context, name, given);
  Value self = given.values[0];
  note_gathered_scalars(context, name, given);
  constexpr std::string_view kReading[] = {"__array__", "item", "numpy", "tolist"};
  if (std::ranges::find(kReading, name) != std::end(kReading)) {
    if (context.state.place_of(self).is_accelerator())
      forget_copies(context.state, context.activation.names());
    note_tensor_read(context, self, name, context.range(0));
    note_host_wait(context, self, context.range(0), name);
  }
  if (name == "numpy" || name == "__array__") {
    // `numpy(force=True)` copies to the host.
    if (name != "numpy" || given.size() == 1) note_host_array(context, given, 0);
    return one(context, Value::unknown());
  }
  if (name == "type" || name == "type_as") {
    if (given.size() > 1 && name == "type_as") return call_as(context, given, "at::type_as");
    if (given.size() == 1) return one(context, type_of_tensor(context, self));
    Value copy = context.state.decider_of(self);
    if (const std::optional<Place> place = place_of_type(context, given.values[1])) {
      copy.place = *place;
      copy.origin = context.origin(OriginKind::kMoved);
      copy.input = Value::kNotInput;
    }
    return one(context, copy);
  }
  if (self.number == Value::kWithoutElements) {
    if (std::optional<Value> answer = size_of_nothing(context, name, given))
      return one(context, *answer);
  }
  if (const models::TensorQuery* query = models::find_tensor_query(name);
      query && (query->kind == models::QueryKind::kDevice || !models::find_operator(name))) {
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
    if (name == "pin_memory") note_pinned(context, copy, rules::Trait::kYes);
    return one(context, copy);
  }
  if (std::optional<Exits> exits = operation(context, "torch.Tensor." + name, given))
    return std::move(*exits);
  return one(context, Value::unknown());
}

Exits module_method(CallContext& context, const std::string& name, const Given& given) {
  const Value self = given.values[0];
  ObjectId id = context.state.object_id_of(self);
  if (name == "to" || name == "cuda" || name == "cpu" || name == "to_empty") {
    Exits exits = transfer(context, name, given);
    for (Exit& exit : exits) {
      exit.value = self;
      leave_to_apply(context, exit.state, id);
      CallContext after{context.activation, exit.state, context.instruction, context.arguments};
      forget_rest_of_networks(after, id);
    }
    return exits;
  }
  if (name == "type" && given.size() > 1) return convert_module(context, given);
  if (name == "state_dict") {
    note_exposed(context, id);
    return one(context, state_dict_of(context, id));
  }
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
  if (name == "register_forward_hook") {
    if (std::optional<Value> handle = register_forward_hook(context, given))
      return one(context, *handle);
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
  } else if (names_part_of_network(name) && is_network(context, id)) {
    Given arguments = given;
    arguments.values[0] = part_of_network(context, id, context.name(name));
    return call_as(context, arguments, "torch::nn::Module::forward", ir::CallKind::kMethod);
  } else if (names_stateless_part(name) && given.size() == 2 && is_network(context, id)) {
    return one(context, context.state.decider_of(given.values[1]));
  } else {
    note_wrapper_attribute(context, self, name);
    // The function may move each tensor.
    exits = one(context, name == "_apply" ? forget(context, given) : Value::unknown());
  }
  if (std::ranges::find(kSelf, name) != std::end(kSelf)) {
    for (Exit& exit : exits) exit.value = self;
  }
  for (Exit& exit : exits) {
    CallContext after{context.activation, exit.state, context.instruction, context.arguments};
    if (name == "requires_grad_") note_frozen(after);
    if (name == "named_buffers" || name == "named_parameters") {
      if (exit.value.is(ValueKind::kParameters)) exit.value = items_of(after, exit.value);
    } else if (name == "named_children" || name == "named_modules") {
      exit.value = with_names(after, exit.value);
    }
  }
  if (name == "items" || name == "values" || name == "keys") {
    for (Exit& exit : exits) exit.value = name == "values" ? self : Value::unknown();
  }
  return exits;
}

}  // namespace placecheck::dataflow
