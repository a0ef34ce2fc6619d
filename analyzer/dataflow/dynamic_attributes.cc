// Attributes of tensors, modules, classes and objects in programs without types.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/dataflow/conditions.h"
#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/dynamic_functions.h"
#include "analyzer/dataflow/identity.h"
#include "analyzer/dataflow/optimizers.h"

namespace placecheck::dataflow {

// Class attributes are globals: `@KEY.name`.
std::optional<Value> class_attribute(CallContext& context, const ir::Class& type,
                                     const std::string& name) {
  for (const ir::Class* each : lookup_order(context.activation, type)) {
    const Value* value = context.state.find_global(context.name("@" + each->key + "." + name));
    if (value) return *value;
  }
  return std::nullopt;
}

std::optional<Value> decorated_method(CallContext& context, const ir::Class& type,
                                      const std::string& name) {
  if (find_method(context.activation, type, name).how != "decorated:") return std::nullopt;
  const std::optional<Value> value = class_attribute(context, type, name);
  const Object* object = value ? context.state.object_of(*value) : nullptr;
  const bool is_function = object && object->kind == ObjectKind::kClosure && object->function;
  return is_function ? value : std::nullopt;
}

namespace {

// A method as a value: a function that has its receiver already.
Value bound_method(CallContext& context, const ir::Function& function, const Value& self) {
  Object closure;
  closure.kind = ObjectKind::kClosure;
  closure.function = &function;
  closure.elements.push_back(self);
  return context.make(std::move(closure), 961);
}

Exits tensor_attribute(CallContext& context, const Value& tensor, const std::string& name) {
  static constexpr std::string_view kViews[] = {"H",    "T",  "data", "grad",
                                                "imag", "mH", "mT",   "real"};
  if (std::ranges::find(kViews, name) != std::end(kViews)) {
    Value view = tensor;
    if (name != "data") {
      Value decider = context.state.decider_of(tensor);
      view.place = decider.place;
      view.origin = decider.origin;
      view.input = decider.input;
    }
    return one(context, view);
  }
  if (const models::TensorQuery* query = models::find_tensor_query(name)) {
    if (query->kind == models::QueryKind::kDevice) {
      Given self;
      self.add(tensor, {}, 0);
      return call_as(context, self, "at::Tensor::" + name, ir::CallKind::kMethod);
    }
    if (name == "dtype") return one(context, Value::options());
    if (tensor.number == Value::kWithoutElements) return one(context, lost_scalar(context));
    Value answer = context.activation.fresh_symbol(context.instruction, context.state);
    // Of a member that the forward replaces once it does not fit: what is decided by its size
    // decides where it is.
    bool is_cache = tensor.stray && query->kind == models::QueryKind::kShape;
    if (is_cache) answer = Value::symbol(context.activation.names().term(kOfCache, {answer.name}));
    return one(context, answer);
  }
  if (!models::find_operator(name)) return one(context, Value::unknown());
  return one(context, library_value(context, "torch.Tensor." + name));
}

// Members that every module has, and those of the wrappers themselves.
bool is_of_every_module(std::string_view name) {
  static constexpr std::string_view kOwn[] = {
      "add_module",
      "apply",
      "bfloat16",
      "broadcast_buffers",
      "bucket_bytes_cap",
      "buffers",
      "call_super_init",
      "children",
      "compile",
      "configure",
      "cpu",
      "cuda",
      "ddp_uneven_inputs_config",
      "delay_all_reduce_named_params",
      "delay_all_reduce_params",
      "device",
      "device_ids",
      "device_type",
      "dim",
      "double",
      "dump_patches",
      "eval",
      "extra_repr",
      "find_unused_parameters",
      "float",
      "forward",
      "gather",
      "get_buffer",
      "get_extra_state",
      "get_parameter",
      "get_submodule",
      "gradient_as_bucket_view",
      "half",
      "ipu",
      "is_multi_device_module",
      "join",
      "join_device",
      "join_hook",
      "join_process_group",
      "load_state_dict",
      "logger",
      "mixed_precision",
      "module",
      "modules",
      "modules_to_ignore",
      "named_buffers",
      "named_children",
      "named_modules",
      "named_parameters",
      "no_sync",
      "output_device",
      "parallel_apply",
      "parameters",
      "parameters_to_ignore",
      "process_group",
      "reducer",
      "register_buffer",
      "register_comm_hook",
      "register_forward_hook",
      "register_forward_pre_hook",
      "register_full_backward_hook",
      "register_load_state_dict_post_hook",
      "register_module",
      "register_parameter",
      "replicate",
      "require_backward_grad_sync",
      "require_forward_param_sync",
      "requires_grad_",
      "scatter",
      "set_extra_state",
      "set_submodule",
      "share_memory",
      "src_device_obj",
      "state_dict",
      "static_graph",
      "to",
      "to_empty",
      "train",
      "training",
      "type",
      "update_process_group",
      "will_sync_module_buffers",
      "xpu",
      "zero_grad",
  };
  static_assert(std::ranges::is_sorted(kOwn), "look-up is by binary search");
  return name.starts_with("_") || std::ranges::binary_search(kOwn, name);
}

// `module` is asked of a module that is certainly not wrapped.
void note_missing_wrapper(CallContext& context, const Value& module, const std::string& name) {
  const Object* object = context.state.object_of(module);
  const bool is_bare = name == "module" && object && object->is_module() && object->type &&
                       object->complete && !has_unknown_base(context.activation, *object->type);
  // Whether a module is wrapped is often decided by the same option in other words.
  if (!is_bare || !context.state.assumptions.empty() || given_arguments(context).is_tried) return;
  if (find_method(context.activation, *object->type, "__getattr__").function) return;
  WrapperAttributeEvent event;
  event.site = context.activation.site(context.instruction.range);
  event.receiver = context.range(0);
  event.attribute = name;
  event.wrapper = object->type->name;
  event.is_bare = true;
  context.activation.notify(event, context.state);
}

// Whether all attributes of a class are the program's, or those of every module.
bool has_own_attributes_only(Activation& activation, const ir::Class& type) {
  const ir::Unit* unit = activation.program().program().unit_of(type);
  const auto is_followed = [&](const ir::Type& base) {
    return base.name == "torch::nn::Module" || base.name == "builtins.object" ||
           activation.program().find_class(base.name, unit);
  };
  const auto followed = [&](const ir::Class* each) {
    return std::ranges::all_of(each->bases, is_followed);
  };
  return std::ranges::all_of(lookup_order(activation, type), followed) &&
         !find_method(activation, type, "__getattr__").function &&
         !find_method(activation, type, "__getattribute__").function;
}

// What tensors have and numbers, texts and None have not.
bool is_of_tensors(std::string_view name) {
  static constexpr std::string_view kOwn[] = {
      "backward", "cpu",     "cuda", "data",  "detach",        "device", "dtype",
      "grad",     "is_cuda", "item", "numpy", "requires_grad", "shape",  "to"};
  return std::ranges::find(kOwn, name) != std::end(kOwn);
}

// Whether a tensor, a number, a text or None has an attribute; nullopt where that is not known.
std::optional<bool> has_plain_attribute(const Value& value, std::string_view name) {
  if (value.is_tensor()) {
    static constexpr std::string_view kOfOthers[] = {"_fields", "items",      "keys",
                                                     "module",  "parameters", "state_dict"};
    if (is_of_tensors(name) || models::find_operator(name)) return true;
    const bool is_of_others = std::ranges::find(kOfOthers, name) != std::end(kOfOthers);
    return is_of_others ? std::optional(false) : std::nullopt;
  }
  const bool is_plain = value.is(ValueKind::kNone) || value.is(ValueKind::kInt) ||
                        value.is(ValueKind::kBool) || value.is(ValueKind::kString);
  return is_plain && is_of_tensors(name) ? std::optional(false) : std::nullopt;
}

// Whether a list, a tuple or a table has an attribute; nullopt where that is not known.
std::optional<bool> has_collection_attribute(CallContext& context, const Object& collection,
                                             std::string_view name) {
  static constexpr std::string_view kMethods[] = {
      "add",     "append", "clear",   "copy",       "count", "extend",      "fromkeys",
      "get",     "index",  "insert",  "items",      "keys",  "move_to_end", "pop",
      "popitem", "remove", "reverse", "setdefault", "sort",  "update",      "values"};
  if (collection.find(context.activation.names().find(name))) return true;
  if (name == "_fields") return is_named_tuple(context, collection);
  if (name.starts_with("_") || std::ranges::find(kMethods, name) != std::end(kMethods))
    return std::nullopt;
  return false;
}

}  // namespace

std::optional<bool> has_own_attribute(CallContext& context, const Object& object, Name field) {
  const std::string& name = context.activation.names().text(field);
  if (const Value* held = object.find(field)) {
    // Of a field that one of two paths has set, the value is unknown.
    const bool may_be_missing = held->is(ValueKind::kUnknown) && !object.is_module();
    return may_be_missing ? std::nullopt : std::optional(true);
  }
  if (object.find_registered(field) || object.find(registered_as_none(context, field)) ||
      class_attribute(context, *object.type, name) ||
      find_method(context.activation, *object.type, name).function)
    return true;
  const bool may_come_from_elsewhere =
      name.starts_with("__") || !has_own_attributes_only(context.activation, *object.type) ||
      (object.is_module() && name != "module" && is_of_every_module(name));
  return may_come_from_elsewhere ? std::nullopt : std::optional(false);
}

namespace {

bool is_of_all_modules(std::string_view name) {
  static constexpr std::string_view kOwn[] = {
      "cpu",        "cuda",       "eval", "load_state_dict", "modules", "named_parameters",
      "parameters", "state_dict", "to",   "train",           "training"};
  return std::ranges::find(kOwn, name) != std::end(kOwn);
}

// Of an object that the program made, and of which nothing was forgotten since.
Value has_attribute_of(CallContext& context, const Object& object, const std::string& name) {
  const auto answer = [&](std::optional<bool> has) {
    return has ? Value::boolean(*has) : lost_scalar(context);
  };
  const Name field = context.name(name);
  // One that is nothing but its attributes.
  if (object.kind == ObjectKind::kRecord && !object.type) {
    const Value* held = object.find(field);
    const bool may_be_missing = held && held->is(ValueKind::kUnknown);
    return may_be_missing ? unknown_scalar(context) : Value::boolean(held != nullptr);
  }
  if (is_list(object) && !object.type)
    return answer(has_collection_attribute(context, object, name));
  if (object.type && object.symbol == 0) return answer(has_own_attribute(context, object, field));
  if (!object.is_module()) return unknown_scalar(context);
  const bool has = object.find(field) || object.find_registered(field);
  // A wrapper hands nothing on.
  const bool is_wrapper =
      context.activation.names().text(object.type_name).ends_with("::DataParallel");
  const bool is_sure = has || name == "module" || is_wrapper;
  return is_sure ? Value::boolean(has) : unknown_scalar(context);
}

}  // namespace

Value has_attribute(CallContext& context, const Given& given) {
  if (given.size() != 2) return unknown_scalar(context);
  const std::optional<std::string> name = context.text(given.values[1]);
  const Value asked = context.state.read(given.values[0]);
  const Object* object = context.state.object_of(asked);
  if (!name) {
    const bool is_lost = object && object->complete && object->type;
    return is_lost ? lost_scalar(context) : unknown_scalar(context);
  }
  if (const std::optional<bool> has = has_plain_attribute(asked, *name))
    return Value::boolean(*has);
  if (asked.is_tensor()) return lost_scalar(context);
  if (const ir::Class* type = class_of(context, asked)) {
    const bool has = class_attribute(context, *type, *name) ||
                     find_method(context.activation, *type, *name).function;
    return has ? Value::boolean(true) : lost_scalar(context);
  }
  if (object && object->is_module() && is_of_all_modules(*name)) return Value::boolean(true);
  if (!object || !object->complete) return unknown_scalar(context);
  return has_attribute_of(context, Object(*object), *name);
}

Name registered_as_none(CallContext& context, Name field) {
  return context.name("<registered " + context.activation.names().text(field) + ">");
}

// Registers a tensor in the place of what has its name. The weight and the bias of a library's
// layer are one cell here, of which the bias is left where the weight is replaced.
static void replace_registered(Object& module, const Registered& entry, Name bias) {
  const auto replaced = std::ranges::find(module.registered, entry.name, &Registered::name);
  if (replaced != module.registered.end()) {
    const Value* rest = module.find(bias);
    const bool is_shared =
        rest && rest->is_tensor() && rest->place == replaced->value.place && entry.name != bias;
    if (is_shared)
      replaced->name = bias;
    else
      module.registered.erase(replaced);
  }
  module.registered.push_back(entry);
}

// `self.p = nn.Parameter(...).to(device)`: what moved is no parameter any more.
static void note_copy_as_member(CallContext& context, const Object& module, const Value& value,
                                const std::string& name) {
  if (value.number != Value::kNonLeafParameter) return;
  NonLeafEvent event;
  event.site = context.activation.site(context.instruction.range);
  event.moved = value.origin;
  event.member = name;
  event.class_name = module.type ? module.type->name : "";
  context.activation.notify(event, context.state);
}

namespace {

// Whether the class has a descriptor of that name: an object with methods that read and write the
// attribute.
bool is_descriptor(CallContext& context, const ir::Class& type, const std::string& name) {
  const std::optional<Value> value = class_attribute(context, type, name);
  const Object* object = value ? context.state.object_of(*value) : nullptr;
  return object && object->type &&
         (find_method(context.activation, *object->type, "__get__").function ||
          find_method(context.activation, *object->type, "__set__").function);
}

void run_setter(CallContext& context, const ir::Function& setter, const Value& object,
                const Given& arguments) {
  Exits exits = call_function(context, setter, {object}, arguments);
  if (exits.empty()) return;
  for (size_t i = 1; i < exits.size(); ++i)
    exits[0].state = join(exits[0].state, exits[i].state, context.activation.names(), kNoObject);
  context.state = std::move(exits.front().state);
}

}  // namespace

void set_attribute(CallContext& context, const Value& object, const std::string& name,
                   const Value& given) {
  const Object* holder = context.state.object_of(object);
  const ir::Class* type = holder ? holder->type : nullptr;
  if (type && is_descriptor(context, *type, name)) return;
  const FoundMethod setter =
      type ? find_method(context.activation, *type, "__setattr__") : FoundMethod();
  if (!setter.function || !setter.how.empty())
    return set_own_attribute(context, object, name, given);
  Given arguments;
  arguments.add(Value::string(context.name(name)), {}, Given::kMade);
  arguments.add(context.state.read(given), {}, Given::kMade);
  run_setter(context, *setter.function, object, arguments);
}

void set_own_attribute(CallContext& context, const Value& object, const std::string& name,
                       const Value& given) {
  State& state = context.state;
  note_replaced_forward(context, object, name);
  ObjectId id = state.object_id_of(object);
  if (Value opaque = state.read(object); opaque.is_opaque()) {
    Value kept = state.read(given);
    return set_opaque_member(state, opaque.name, name, kept, context.activation.names());
  }
  if (id == kNoObject) {
    Value tensor = state.read(object);
    Value other = state.decider_of(given);
    bool is_cell = tensor.is_tensor() && tensor.place.kind == PlaceKind::kCell &&
                   state.has(tensor.place.symbol) && !tensor.one_of;
    const bool stays_trained = other.is(ValueKind::kBool) && other.number != 0;
    if (name == "requires_grad" && !stays_trained) note_frozen(context);
    if (name == "data" && is_cell)
      state.edit(tensor.place.symbol)
          .elements.assign(1, other.is_tensor() ? other : Value::tensor(Place::unknown()));
    // It may be a parameter of any module: `for p in model.parameters(): p.data = p.data.cuda()`.
    const bool is_elsewhere = !other.is_tensor() || !(other.place == state.place_of(tensor));
    if (name == "data" && !is_cell && tensor.is_tensor() && is_elsewhere)
      displace_parameters(state, state.decider_of(tensor));
    return;
  }
  Value value = state.read(given);
  const ir::Class* type = state.object(id).type;
  if (const ir::Function* setter = type ? find_setter(context.activation, *type, name) : nullptr) {
    Given arguments;
    arguments.add(value, {}, Given::kMade);
    return run_setter(context, *setter, object, arguments);
  }
  Name field = context.name(name);
  bool is_module = state.object(id).is_module();
  if (is_module && value.is_object() && state.has(value.object) &&
      state.object(value.object).is_module()) {
    Given arguments;
    arguments.add(object, {}, 0);
    arguments.add(Value::string(field), {}, Given::kMade);
    arguments.add(value, {}, 2);
    Exits exits =
        call_as(context, arguments, "torch::nn::Module::register_module", ir::CallKind::kMethod);
    if (!exits.empty()) state = std::move(exits.front().state);
  } else if (is_module && value.is_tensor()) {
    note_copy_as_member(context, state.object(id), value, name);
    const Registered* known = state.object(id).find_registered(field);
    bool is_cell = value.place.kind == PlaceKind::kCell;
    bool is_parameter = is_cell && value.requires_grad;
    bool is_buffer = (known && known->kind == RegisteredKind::kBuffer) ||
                     state.object(id).find(registered_as_none(context, field));
    if (is_parameter || is_buffer) {
      Value handle = value;
      if (!is_cell) {
        Object cell;
        cell.kind = ObjectKind::kCell;
        cell.elements.push_back(state.decider_of(value));
        handle = Value::tensor(Place::cell(context.make(std::move(cell), 962).object), value.rank);
        handle.origin = value.origin;
      }
      RegisteredKind kind = is_parameter ? RegisteredKind::kParameter : RegisteredKind::kBuffer;
      replace_registered(state.edit(id), {field, kind, handle, {}}, context.name("bias"));
      value = handle;
    }
  } else if (is_module) {
    std::vector<Registered>& registered = state.edit(id).registered;
    std::erase_if(registered, [&](const Registered& each) { return each.name == field; });
  }
  context.activation.assign(state, Value::address(id, Value::kField, field), value);
}

void note_wrapper_attribute(CallContext& context, const Value& wrapper, const std::string& name) {
  const Object* object = context.state.object_of(wrapper);
  const Names& names = context.activation.names();
  bool is_wrapper = object && object->is_module() && !object->type && object->complete &&
                    !object->registered.empty();
  if (!is_wrapper || is_of_every_module(name)) return;
  const std::string_view type = names.text(object->type_name);
  if (!type.starts_with("placecheck::parallel::") || !type.ends_with("DataParallel")) return;
  if (object->find(context.name(name)) || object->find_registered(context.name(name))) return;
  const ObjectId wrapped = context.state.object_id_of(object->registered[0].value);
  const Object* inner = wrapped == kNoObject ? nullptr : &context.state.object(wrapped);
  if (!inner || !inner->is_module() || given_arguments(context).is_tried) return;
  // Of a network of a library, the program knows the members.
  const bool is_of_library = !inner->type && is_network(context, wrapped);
  if (!inner->type && !is_of_library) return;
  const bool has = is_of_library || inner->find(context.name(name)) ||
                   inner->find_registered(context.name(name)) ||
                   find_method(context.activation, *inner->type, name).function;
  if (!has) return;
  WrapperAttributeEvent event;
  event.site = context.activation.site(context.instruction.range);
  event.receiver = context.range(0);
  event.attribute = name;
  event.wrapper = ir::last_component(type);
  context.activation.notify(event, context.state);
}

// Where a module is moved, its parameters stay the same objects, and its buffers become others: who
// holds one keeps what it was.
Value buffer_as_it_is(const State& state, const Value& buffer) {
  const Value now = state.decider_of(buffer);
  return now.is_tensor() && now.place.is_known() ? now : buffer;
}

Exits get_attribute(CallContext& context, const Value& given, const std::string& name) {
  Value object = context.state.read(given);
  Activation& activation = context.activation;
  if (object.is_tensor()) return tensor_attribute(context, object, name);
  if (object.is(ValueKind::kDevice)) {
    Given self;
    self.add(object, {}, 0);
    // `torch.device("cuda").index` is None.
    const bool is_current = object.place == Place::cuda(Place::kCurrent) && !object.asked;
    if (name == "index" && (is_current || object.place.is_cpu()))
      return one(context, Value::none());
    if (name == "index") return call_as(context, self, "c10::Device::index", ir::CallKind::kMethod);
    if (name == "type") {
      if (!object.place.is_known())
        return one(context, activation.fresh_symbol(context.instruction, context.state));
      return one(context, Value::string(context.name(object.place.is_cpu() ? "cpu" : "cuda")));
    }
    return one(context, Value::unknown());
  }
  if (std::optional<Value> value = generator_attribute(context, object, name))
    return one(context, *value);
  if (std::optional<Value> value = distribution_attribute(context, object, name))
    return one(context, *value);
  // A text has no such attribute: it is a member of an enumeration.
  if (name == "value" && object.is(ValueKind::kString)) return one(context, object);
  if (const ir::Class* type = class_of(context, object)) {
    if (std::optional<Value> value = class_attribute(context, *type, name))
      return one(context, *value);
    FoundMethod found = find_method(activation, *type, name);
    if (!found.function && name == "apply" && is_autograd_function(activation, *type))
      return one(context, autograd_apply(context, object));
    if (!found.function) return one(context, Value::unknown());
    Object closure;
    closure.kind = ObjectKind::kClosure;
    closure.function = found.function;
    if (found.how == "class:") closure.elements.push_back(object);
    return one(context, context.make(std::move(closure), 964));
  }
  if (std::optional<std::string> library = library_name(context, object))
    return one(context, library_value(context, *library + "." + name));
  ObjectId id = context.state.object_id_of(object);
  if (object.is_opaque()) {
    Name member = member_identity(object.name, name, activation.names());
    const Value* kept = context.state.find_global(member);
    // The answer may contradict what was done with the value before: no finding rests on it.
    if (name == "is_cuda" || name == "is_cpu") member = lost_identity(member, activation.names());
    return one(context, kept ? *kept : Value::opaque(member));
  }
  if (id == kNoObject) return one(context, Value::unknown_part(object));
  expose_optimizer_state(context, id, name);
  const Object& holder = context.state.object(id);
  Name field = context.name(name);
  if (holder.is_module()) {
    if (const Registered* registered = holder.find_registered(field)) {
      if (!registered->either.empty()) return one(context, Value::unknown());
      return one(context, registered->kind == RegisteredKind::kBuffer
                              ? buffer_as_it_is(context.state, registered->value)
                              : registered->value);
    }
  }
  if (name == "training" && holder.is_module()) return one(context, mode_of(context, id));
  if (std::optional<Value> kept = dataset_attribute(context, holder, name))
    return one(context, *kept);
  if (holder.type && is_descriptor(context, *holder.type, name))
    return one(context, Value::unknown());
  if (holder.find(field)) {
    Value value = activation.read_member(context.state, Value::address(id, Value::kField, field));
    return one(context, value);
  }
  if (holder.is_module()) {
    if (std::optional<Value> table = registered_in(context, object, name))
      return one(context, *table);
  }
  if (name == "__dict__") {
    if (std::optional<Value> table = attributes_of(context, object)) return one(context, *table);
  }
  if (holder.type) {
    FoundMethod found = find_method(activation, *holder.type, name);
    if (found.function && found.how == "property:")
      return call_function(context, *found.function, {object}, {});
    if (found.function && found.how.empty())
      return one(context, bound_method(context, *found.function, object));
    if (std::optional<Value> decorated = decorated_method(context, *holder.type, name)) {
      Given bound;
      bound.add(*decorated, {}, Given::kMade);
      bound.add(object, {}, Given::kMade);
      return one(context, make_partial(context, bound));
    }
    if (found.function) return one(context, Value::unknown());
    if (std::optional<Value> value = class_attribute(context, *holder.type, name))
      return one(context, *value);
  }
  if (names_part_of_network(name) && is_network(context, id))
    return one(context, part_of_network(context, id, field));
  if (names_stateless_part(name) && is_network(context, id))
    return one(context, stateless_part_of_network(context, id, field));
  // `x.topk(3).indices`: the results of such operations have names, too.
  const bool is_pair = holder.kind == ObjectKind::kTuple && holder.elements.size() == 2;
  if (is_pair && (name == "values" || name == "indices"))
    return one(context, context.state.read(holder.elements[name == "indices" ? 1 : 0]));
  // What a parser of arguments found, by its name: the same each time.
  if (holder.kind == ObjectKind::kLibrary && holder.symbol != 0) {
    return one(context,
               Value::symbol(library_member_identity(holder.symbol, name, activation.names())));
  }
  note_wrapper_attribute(context, object, name);
  note_missing_wrapper(context, object, name);
  if (holder.symbol == 0) return one(context, Value::unknown());
  Names& names = activation.names();
  const Name member = member_identity(holder.symbol, name, names);
  // A fresh symbol stands for an object that the program made and the analysis gave up since.
  const bool is_lost = holder.type && is_fresh(holder.symbol, names);
  return one(context, Value::opaque(is_lost ? lost_identity(member, names) : member));
}

}  // namespace placecheck::dataflow
