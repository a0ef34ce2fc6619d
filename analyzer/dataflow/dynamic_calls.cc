// Who is called, and how its parameters take what is given.
#include <algorithm>
#include <iterator>
#include <set>

#include "analyzer/dataflow/async_copies.h"
#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/dynamic_functions.h"
#include "analyzer/dataflow/havoc.h"
#include "analyzer/dataflow/identity.h"
#include "analyzer/dataflow/scalars.h"
#include "analyzer/models/libraries/python_names.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kSuper = "<super>";
constexpr std::string_view kSourceSuffixes[] = {".py:", ".ipynb:"};

bool is_key_of_source(const std::string& key) {
  return std::ranges::any_of(kSourceSuffixes, [&](std::string_view suffix) {
    return key.find(suffix) != std::string::npos;
  });
}

// What `*list` and `**table` hold; false if that is not all.
bool spread(CallContext& context, size_t i, bool names, Given& given) {
  Value list = context.read(i);
  list = table_of_attributes(context, list).value_or(list);
  if (!names && is_joined(context, list))
    list = context.make(items_in(context, list), 930 + static_cast<uint32_t>(i));
  const Object* object = context.state.object_of(list);
  if (!object || object->open || !is_list(*object)) return false;
  if (names && object->keys.size() != object->elements.size()) return false;
  for (size_t k = 0; k < object->elements.size(); ++k) {
    std::string name;
    if (names) {
      if (!object->keys[k].is(ValueKind::kString)) return false;
      name = context.activation.names().text(object->keys[k].name);
    }
    given.add(context.state.read(object->elements[k]), name, i);
  }
  return true;
}

void note_open_list(CallContext& context, size_t i, bool names, Given& given) {
  const Object* object = context.state.object_of(context.read(i));
  const bool is_first = !given.is_open && !names;
  given.of_open_list.clear();
  if (!is_first || !object || !is_list(*object) || !object->open) return;
  given.open_list_at = given.size();
  for (const Value& each : object->elements) given.of_open_list.push_back(context.state.read(each));
  if (!object->rest.is(ValueKind::kNone))
    given.of_open_list.push_back(context.state.read(object->rest));
}

// Calling a module runs its forward.
Exits call_module(CallContext& context, const Value& module, const Given& given) {
  if (std::optional<Exits> exits = call_replaced_forward(context, module, given))
    return std::move(*exits);
  const Object& object = *context.state.object_of(module);
  Activation& activation = context.activation;
  if (is_data_parallel(context, object)) return call_data_parallel(context, module, given);
  if (is_distributed(context, object)) return call_distributed(context, Object(object), given);
  if (is_averaged(context, object))
    return call_value(context, Value(object.registered.front().value), given);
  if (object.type) {
    FoundMethod call = find_method(activation, *object.type, "__call__");
    FoundMethod forward = find_method(activation, *object.type, "forward");
    if (call.function) forward = call;
    if (forward.function && forward.how.empty()) {
      const std::vector<ForwardHook> hooks = forward_hooks_of(context, module);
      Exits exits = call_function(context, *forward.function, {module}, given);
      return run_forward_hooks(context, hooks, given.values, std::move(exits));
    }
    const bool is_open = has_unknown_base(activation, *object.type);
    if (is_open && !derives_from_network(activation, *object.type))
      return one(context, forget(context, given));
  }
  Given all;
  all.add(module, {}, 0);
  for (size_t i = 0; i < given.size(); ++i)
    all.add(given.values[i], given.names[i], given.sources[i]);
  return call_as(context, all, "torch::nn::Module::forward", ir::CallKind::kMethod);
}

// `x.to(y.dtype)`, `x.to(torch.float16)`: a type of elements, and no device.
bool is_only_dtype(CallContext& context, const Given& given) {
  if (given.size() != 2) return false;
  const Value& type = given.values[1];
  const Object* object = context.state.object_of(type);
  const Names& names = context.activation.names();
  const bool is_member = type.is_opaque() && is_member_identity(type.name, names) &&
                         names.text(names.operands(type.name)[1]) == "'dtype'";
  return is_member || (type.is(ValueKind::kOptions) && !type.has_place) ||
         (object && object->kind == ObjectKind::kLibrary);
}

// The result of a tensor's transfer is dropped. What is on that device already need not be moved.
void note_discarded(CallContext& context, const std::string& name, const Value& self,
                    const Given& given) {
  bool transfers = name == "cuda" || name == "cpu" || (name == "to" && given.size() > 1);
  if (!transfers || !self.is_tensor()) return;
  // A value that was unknown when it was moved may be a module, which moves in place. It is taken
  // for a tensor of unknown rank.
  bool was_moved = context.activation.origin_of(self.origin).kind == OriginKind::kMoved;
  if (was_moved && self.rank == Rank::kUnknown) return;
  // Of a value that nobody else has, nothing is left to be moved.
  const ir::Instruction* made =
      context.activation.find_definition(context.call().arguments[0].value);
  bool is_named = made && (made->opcode != ir::Opcode::kCall || made->call.name == "object.get" ||
                           made->call.name == "object.item");
  if (!is_named) return;
  DiscardedTransferEvent event;
  event.site = context.activation.site(context.instruction.range);
  event.receiver = context.range(0);
  event.method = name;
  event.converts = name == "to" && is_only_dtype(context, given);
  context.activation.notify(event, context.state);
}

// Calls each of the modules that a child may be. The exits are joined: the alternatives of one call
// would multiply with those of the next.
Exits call_one_of(CallContext& context, const std::vector<Value>& children, const Given& given) {
  Names& names = context.activation.names();
  Exits exits;
  for (const Value& child : children) {
    State state = context.state;
    CallContext step{context.activation, state, context.instruction, context.arguments};
    for (Exit& exit : call_value(step, child, given)) {
      if (exits.empty()) {
        exits.push_back(std::move(exit));
        continue;
      }
      exits[0].state = join(exits[0].state, exit.state, names, kNoObject);
      exits[0].value = join(exits[0].value, exit.value, context.name("either"));
    }
  }
  return exits;
}

// Calls what a property answers.
Exits call_answer(CallContext& context, Exits answers, const Given& given) {
  Exits exits;
  for (Exit& answer : answers) {
    CallContext step{context.activation, answer.state, context.instruction, context.arguments};
    Exits each = call_value(step, answer.value, given);
    std::ranges::move(each, std::back_inserter(exits));
  }
  return exits;
}

// `.name(receiver, ...)`
Exits method_call(CallContext& context) {
  Activation& activation = context.activation;
  const std::string name = context.call().name.substr(1);
  Given given = given_arguments(context);
  if (given.values.empty()) return one(context, Value::unknown());
  Value self = context.state.read(given.values[0]);
  given.values[0] = self;
  note_hook(context, self, name);
  Given rest = given.without(1);
  const Object* object = context.state.object_of(self);
  size_t super = context.named(kSuper);
  if (super < context.count()) {
    // `super().name(...)` in a class of the project.
    std::optional<std::string> key = context.text(context.read(super));
    const ir::Class* type =
        key ? activation.program().find_class(*key, activation.unit()) : nullptr;
    const ir::Class* own = object && object->type ? object->type : type;
    if (!own || !key) return one(context, Value::unknown());
    FoundMethod found = find_method(activation, *own, name, *key);
    if (found.how == "decorated:") return one(context, forget(context, given));
    if (found.function) return call_function(context, *found.function, {self}, rest);
    if (name == "__setattr__" && rest.size() == 2 && context.text(rest.values[0])) {
      set_own_attribute(context, self, *context.text(rest.values[0]), rest.values[1]);
      return one(context, Value::none());
    }
    if (name == "__init__" && is_optimizer_class(activation, *own)) {
      make_base_optimizer(context, self, rest);
      return one(context, Value::none());
    }
    if (name == "__init__" && is_vision_dataset(activation, *own)) {
      make_base_dataset(context, self, rest);
      return one(context, Value::none());
    }
    if (std::optional<Value> value = base_optimizer_method(context, *own, name))
      return one(context, *value);
    const bool keeps_contents = object && is_from_outside(*object, activation.names());
    const bool is_followed =
        name == "__init__" && (keeps_contents || derives_from_network(activation, *own));
    if (has_unknown_base(activation, *own) && !is_followed)
      return one(context, forget(context, given));
    if (name == "__init__" || name == "__new__" || !object) return one(context, Value::none());
    return library_method(context, name, given);
  }
  if (const ir::Class* type = class_of(context, self)) {
    // `Class.method(object, ...)`
    FoundMethod found = find_method(activation, *type, name);
    if (!found.function && name == "apply" && is_autograd_function(activation, *type))
      return apply_autograd_function(context, *type, rest);
    if (!found.function) return one(context, forget(context, rest));
    if (found.how == "class:") return call_function(context, *found.function, {self}, rest);
    if (found.how == "decorated:") {
      const std::optional<Value> decorated = decorated_method(context, *type, name);
      return decorated ? call_value(context, *decorated, rest)
                       : one(context, forget(context, rest));
    }
    return call_function(context, *found.function, {}, rest);
  }
  if (std::optional<std::string> library = library_name(context, self)) {
    const bool sets = name == "__setattr__" && rest.size() == 3;
    const std::optional<std::string> attribute = sets ? context.text(rest.values[1]) : std::nullopt;
    if (!attribute) return library_function(context, *library + "." + name, rest);
    set_own_attribute(context, rest.values[0], *attribute, rest.values[2]);
    return one(context, Value::none());
  }
  if (std::optional<Value> replaced = replaced_fields(context, name, rest, self))
    return one(context, *replaced);
  if (object) {
    const bool has_member = object->find(activation.name(name)) != nullptr ||
                            object->find_registered(activation.name(name)) != nullptr;
    const Registered* child = object->find_registered(activation.name(name));
    if (child && !child->either.empty())
      return call_one_of(context, std::vector<Value>(child->either), rest);
    if (has_member && name != "parameters") {
      Exits members = get_attribute(context, self, name);
      if (members.size() == 1 && !context.state.read(members[0].value).is(ValueKind::kUnknown)) {
        context.state = std::move(members[0].state);
        return call_value(context, members[0].value, rest);
      }
      if (!members.empty()) context.state = std::move(members[0].state);
    }
    object = context.state.object_of(self);
  }
  if (object && object->type) {
    FoundMethod found = find_method(activation, *object->type, name);
    if (found.function && found.how == "static:")
      return call_function(context, *found.function, {}, rest);
    if (found.function && (found.how.empty() || found.how == "class:"))
      return call_function(context, *found.function, {self}, rest);
    if (found.function && found.how == "property:")
      return call_answer(context, call_function(context, *found.function, {self}, {}), rest);
    if (std::optional<Value> decorated = decorated_method(context, *object->type, name))
      return call_value(context, *decorated, given);
    if (found.function) return one(context, forget(context, given));
    if (name == "__call__" && object->is_module()) return call_module(context, self, rest);
    if (std::optional<Exits> exits = start_thread(context, name, self)) return std::move(*exits);
    if (std::optional<Value> value = base_optimizer_method(context, *object->type, name))
      return one(context, *value);
    const bool is_open = has_unknown_base(activation, *object->type) &&
                         !derives_from_network(activation, *object->type);
    if (is_open || !object->is_module()) {
      if (!is_open && name == "__init__") return one(context, Value::none());
      return one(context, forget(context, given));
    }
  }
  if (context.call().discarded)
    note_discarded(context, name, batch_tensor(context, self).value_or(self), given);
  return library_method(context, name, given);
}

Exits direct_call(CallContext& context) {
  const ir::Call& call = context.call();
  Activation& activation = context.activation;
  Given given = given_arguments(context);
  if (call.kind == ir::CallKind::kConstruct) {
    const ir::Class* type = activation.program().find_class(call.key, activation.unit());
    return type ? construct_object(context, *type, given) : one(context, forget(context, given));
  }
  if (!call.key.empty()) {
    const ir::Function* function = activation.program().find_function(call.key, activation.unit());
    return function ? call_function(context, *function, {}, given)
                    : one(context, forget(context, given));
  }
  return library_function(context, call.name, given);
}

}  // namespace

void Given::add(const Value& value, std::string name, size_t source) {
  values.push_back(value);
  names.push_back(std::move(name));
  sources.push_back(source);
}

std::optional<size_t> Given::named(std::string_view name) const {
  for (size_t i = 0; i < names.size(); ++i) {
    if (!names[i].empty() && names[i] == name) return i;
  }
  return std::nullopt;
}

std::vector<size_t> Given::positional() const {
  std::vector<size_t> found;
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) found.push_back(i);
  }
  return found;
}

std::optional<size_t> Given::find(std::string_view name, size_t position) const {
  if (auto by_name = named(name)) return by_name;
  size_t seen = 0;
  for (size_t i = 0; i < names.size(); ++i) {
    if (!names[i].empty()) continue;
    if (seen++ == position) return i;
  }
  return std::nullopt;
}

Given Given::without(size_t first) const {
  Given rest;
  rest.is_open = is_open;
  rest.open_table = open_table;
  rest.is_tried = is_tried;
  for (size_t i = first; i < size(); ++i) rest.add(values[i], names[i], sources[i]);
  return rest;
}

bool is_dynamic(const ir::Call& call) {
  if (!call.key.empty()) return is_key_of_source(call.key);
  const std::string& name = call.name;
  if (name.find('.') == std::string::npos || name.find("::") != std::string::npos) return false;
  return !name.starts_with("op.") && !name.starts_with("loop.") && !name.starts_with("cast.");
}

bool is_foreseen_to_fail(const ir::Call& call, const std::vector<Value>& arguments) {
  if (call.arguments.empty() || call.arguments.back().name != kTried) return false;
  const Value& is_foreseen = arguments.back();
  return is_foreseen.is(ValueKind::kBool) && is_foreseen.number != 0;
}

bool is_dynamic(const ir::Function& function) { return is_key_of_source(function.key); }
bool is_dynamic(const ir::Class& type) { return is_key_of_source(type.key); }

bool is_dynamic(const ir::Program& program) {
  return std::ranges::any_of(program.units, [](const ir::Unit* unit) {
    return !unit->functions.empty() && is_dynamic(unit->functions.front());
  });
}

Given given_arguments(CallContext& context) {
  Given given;
  const auto& written = context.call().arguments;
  for (size_t i = 0; i < context.count(); ++i) {
    const std::string& name = i < written.size() ? written[i].name : std::string();
    if (name == kTried) {
      given.is_tried = true;
    } else if (name == "*" || name == "**") {
      if (spread(context, i, name == "**", given)) continue;
      note_open_list(context, i, name == "**", given);
      if (name == "**") given.open_table = context.read(i);
      given.is_open = true;
    } else if (name != kSuper) {
      given.add(context.state.read(context.arguments[i]), name, i);
    }
  }
  return given;
}

Exits call_as(CallContext& context, const Given& given, const std::string& name, ir::CallKind kind,
              const std::string& key) {
  const ir::Instruction& written =
      context.activation.rewritten(context.instruction, name, kind, key, given.sources);
  CallContext step{context.activation, context.state, written, given.values};
  Exits exits;
  if (!apply_call(step, exits)) return one(context, forget(context, given));
  return exits;
}

Value forget(CallContext& context, const Given& given) {
  Activation& activation = context.activation;
  doubt_group(context);
  const std::string function(last_part(context.call().name));
  activation.notify(UnfollowedCallEvent{function}, context.state);
  forget_copies(context.state, activation.names());
  Name label = activation.name("<" + activation.number_of(context.instruction) + ">");
  activation.renew(label, context.state);
  Value unknown = Value::unknown();
  unknown.gap = activation.gap_of(context.instruction);
  Havoc havoc(context.state, activation.names(), label, unknown.gap);
  for (const Value& value : given.values) {
    ObjectId id = context.state.object_id_of(value);
    if (id != kNoObject) havoc.object(id);
    note_changed_batch(context, context.state.read(value));
  }
  return unknown;
}

Value open_lists(CallContext& context, const Given& given) {
  Value unknown = Value::unknown();
  unknown.gap = context.activation.gap_of(context.instruction);
  for (const Value& value : given.values) {
    const Object* object = context.state.object_of(value);
    if (!object || !is_list(*object) || object->open) continue;
    Object& list = context.state.edit(context.state.object_id_of(value));
    list.open = true;
    list.rest = unknown;
  }
  return unknown;
}

std::vector<const ir::Class*> lookup_order(Activation& activation, const ir::Class& type) {
  return activation.program().lookup_order(type);
}

Value lost_scalar(CallContext& context) {
  const Value answer = context.activation.fresh_symbol(context.instruction, context.state);
  return Value::symbol(lost_identity(answer.name, context.activation.names()));
}

bool has_unknown_base(Activation& activation, const ir::Class& type) {
  for (const ir::Class* each : lookup_order(activation, type)) {
    for (const ir::Type& base : each->bases) {
      if (base.name == "?") return true;
    }
  }
  return false;
}

bool derives_from_library(Activation& activation, const ir::Class& type,
                          llvm::function_ref<bool(std::string_view)> fits) {
  return std::ranges::any_of(lookup_order(activation, type), [&](const ir::Class* each) {
    return std::ranges::any_of(each->bases, [&](const ir::Type& base) { return fits(base.name); });
  });
}

bool derives_from_library(Activation& activation, const ir::Class& type, std::string_view name) {
  return derives_from_library(activation, type,
                              [&](std::string_view base) { return base == name; });
}

bool is_enumeration(Activation& activation, const ir::Class& type) {
  const bool derives = derives_from_library(activation, type, [](std::string_view base) {
    return base == "enum.Enum" || base == "enum.IntEnum" || base == "enum.StrEnum";
  });
  return derives && !find_method(activation, type, "_missing_").function;
}

FoundMethod find_method(Activation& activation, const ir::Class& type, std::string_view name,
                        const std::string& behind) {
  bool counts = behind.empty();
  for (const ir::Class* each : lookup_order(activation, type)) {
    if (!counts) {
      counts = each->key == behind;
      continue;
    }
    const ir::Unit* unit = activation.program().program().unit_of(*each);
    // The last definition of a name is the one that holds.
    for (auto method = each->methods.rbegin(); method != each->methods.rend(); ++method) {
      size_t colon = method->name.find(':');
      std::string how = colon == std::string::npos ? "" : method->name.substr(0, colon + 1);
      if (how == "setter:" || std::string_view(method->name).substr(how.size()) != name) continue;
      return {activation.program().find_function(method->key, unit), how};
    }
  }
  return {};
}

const ir::Function* find_setter(Activation& activation, const ir::Class& type,
                                std::string_view name) {
  const std::string wanted = "setter:" + std::string(name);
  for (const ir::Class* each : lookup_order(activation, type)) {
    const auto found = std::ranges::find(each->methods, wanted, &ir::Method::name);
    if (found != each->methods.end())
      return activation.program().find_function(found->key,
                                                activation.program().program().unit_of(*each));
  }
  return nullptr;
}

// The call's argument that each of `values` is, as a receiver is that is bound to the method.
std::vector<size_t> sources_of(const CallContext& context, const std::vector<Value>& values) {
  std::vector<size_t> sources;
  for (const Value& value : values) {
    const ObjectId object = context.state.object_id_of(value);
    size_t at = object == kNoObject ? Given::kMade : 0;
    while (at < context.count() && context.state.object_id_of(context.read(at)) != object) ++at;
    sources.push_back(at < context.count() ? at : Given::kMade);
  }
  return sources;
}

std::string default_field(std::string_view parameter) {
  return "<default of " + std::string(parameter) + ">";
}

// What a function value has kept as the default of a parameter.
static std::optional<Value> kept_default(CallContext& context, ObjectId closure,
                                         std::string_view parameter) {
  if (closure == kNoObject || !context.state.has(closure)) return std::nullopt;
  const Value* kept = context.state.object(closure).find(context.name(default_field(parameter)));
  return kept ? std::optional(*kept) : std::nullopt;
}

Exits call_function(CallContext& context, const ir::Function& function, std::vector<Value> first,
                    const Given& given, ObjectId closure) {
  Activation& activation = context.activation;
  std::vector<Value> arguments = std::move(first);
  std::vector<size_t> sources = sources_of(context, arguments);
  std::vector<size_t> positional = given.positional();
  std::set<size_t> used;
  size_t next = 0;
  bool only_by_name = false;
  for (size_t p = arguments.size(); p < function.parameters.size(); ++p) {
    const ir::Parameter& parameter = function.parameters[p];
    std::string_view name = parameter.name;
    sources.push_back(Given::kMade);
    if (name.starts_with("**") && given.open_table && given.open_table->is_opaque() &&
        next == positional.size() && used.size() + positional.size() == given.size()) {
      arguments.push_back(*given.open_table);
    } else if (name.starts_with("**")) {
      Object table;
      table.kind = ObjectKind::kContainer;
      table.is_map = true;
      table.open = given.is_open;
      for (size_t i = 0; i < given.size(); ++i) {
        if (given.names[i].empty() || used.count(i)) continue;
        table.keys.push_back(Value::string(context.name(given.names[i])));
        table.elements.push_back(given.values[i]);
      }
      arguments.push_back(context.make(std::move(table), 970));
    } else if (name.starts_with("*")) {
      only_by_name = true;
      std::vector<Value> rest;
      for (; next < positional.size(); ++next) rest.push_back(given.values[positional[next]]);
      Value list = make_list(context, std::move(rest),
                             given.is_open ? ObjectKind::kContainer : ObjectKind::kTuple, 971);
      if (given.is_open) context.state.edit(list.object).open = true;
      arguments.push_back(list);
    } else if (std::optional<size_t> by_name = given.named(name)) {
      used.insert(*by_name);
      sources.back() = given.sources[*by_name];
      arguments.push_back(given.values[*by_name]);
    } else if (!only_by_name && next < positional.size()) {
      sources.back() = given.sources[positional[next]];
      arguments.push_back(given.values[positional[next++]]);
    } else if (std::optional<Value> kept = kept_default(context, closure, name);
               kept && !given.is_open) {
      arguments.push_back(*kept);
    } else if (const ir::Function* otherwise = activation.program().find_function(
                   parameter.default_function, activation.program().program().unit_of(function));
               otherwise && !given.is_open) {
      Exits exits = activation.invoke(*otherwise, {}, context.state, context.instruction);
      Value value = Value::unknown();
      if (!exits.empty()) {
        context.state = std::move(exits.front().state);
        value = exits.front().value;
      }
      arguments.push_back(value);
    } else {
      arguments.push_back(Value::unknown());
    }
  }
  return activation.invoke(function, std::move(arguments), context.state, context.instruction,
                           &sources);
}

namespace {

// A table whose entries are also its attributes, made of what a file or a command line holds: the
// program does not say what they are, and nothing is lost of them.
bool has_contents_from_outside(CallContext& context, const ir::Class& type, const Given& given) {
  const bool is_table = derives_from_library(context.activation, type, "dict") &&
                        find_method(context.activation, type, "__getattr__").function;
  if (!is_table || given.size() == 0) return false;
  const Value contents = context.state.read(given.values[0]);
  const Object* table = context.state.object_of(contents);
  return contents.is(ValueKind::kUnknown) ||
         (table && table->open && context.state.read(table->rest).is(ValueKind::kUnknown));
}

}  // namespace

Exits construct_object(CallContext& context, const ir::Class& type, const Given& given) {
  Activation& activation = context.activation;
  // `Mode("train")`: a member of an enumeration is what its value is.
  if (is_enumeration(activation, type) && given.size() == 1 && given.names[0].empty())
    return one(context, given.values[0]);
  Object object = context.project_object(type);
  bool is_open = has_unknown_base(activation, type);
  if (is_open) {
    object.complete = false;
    const Name fresh = activation.fresh_symbol(context.instruction, context.state).name;
    Names& names = activation.names();
    object.symbol = has_contents_from_outside(context, type, given)
                        ? names.derive(std::string(kFromOutside) + names.text(fresh), {fresh})
                        : fresh;
  }
  Value self = context.make(std::move(object), 972);
  FoundMethod constructor = find_method(activation, type, "__init__");
  bool derives_layer = false;
  for (const ir::Class* each : lookup_order(activation, type))
    for (const ir::Type& base : each->bases)
      derives_layer |= base.name.starts_with("torch::nn::") && base.name.ends_with("Impl");
  if (derives_layer && type.is_module) add_library_state(context, self.object);
  if (derives_from_network(activation, type)) add_network_state(context, self.object);
  if (!constructor.function) {
    // A data class: its fields in turn. Of a module without a constructor nothing is missing.
    std::vector<size_t> positional = given.positional();
    for (size_t i = 0; i < type.fields.size() && i < positional.size(); ++i)
      context.state.edit(self.object)
          .set(context.name(type.fields[i].name), given.values[positional[i]]);
    for (size_t i = 0; i < given.size(); ++i) {
      if (!given.names[i].empty())
        context.state.edit(self.object).set(context.name(given.names[i]), given.values[i]);
    }
    make_default_fields(context, self, type);
    if (derives_from_library(activation, type, kTypedTuple)) become_tuple(context, self.object);
    return one(context, self);
  }
  Exits exits = call_function(context, *constructor.function, {self}, given);
  for (Exit& exit : exits) exit.value = self;
  return exits;
}

Exits call_value(CallContext& context, const Value& callee, const Given& given) {
  Activation& activation = context.activation;
  Value direct = context.state.read(callee);
  if (const ir::Class* type = class_of(context, direct))
    return construct_object(context, *type, given);
  if (std::optional<std::string> name = library_name(context, direct))
    return library_function(context, *name, given);
  const Object* object = context.state.object_of(direct);
  if (!object) return one(context, forget(context, given));
  if (object->kind == ObjectKind::kClosure && object->function)
    return call_function(context, *object->function, object->elements, given,
                         context.state.object_id_of(direct));
  if (object->is_module()) return call_module(context, direct, given);
  if (object->type) {
    FoundMethod found = find_method(activation, *object->type, "__call__");
    if (found.function) return call_function(context, *found.function, {direct}, given);
  }
  if (std::optional<Value> tuple = make_named_tuple(context, *object, given))
    return one(context, *tuple);
  if (std::optional<Exits> made = make_of_type(context, direct, given)) return std::move(*made);
  if (std::optional<Exits> exits = call_partial(context, *object, given)) return std::move(*exits);
  if (std::optional<Exits> exits = call_autograd_apply(context, *object, given))
    return std::move(*exits);
  if (object->kind == ObjectKind::kLibrary) {
    Given all;
    all.add(direct, {}, Given::kMade);
    for (size_t i = 0; i < given.size(); ++i)
      all.add(given.values[i], given.names[i], given.sources[i]);
    return library_method(context, "__call__", all);
  }
  return one(context, forget(context, given));
}

Exits dynamic_call(CallContext& context) {
  const ir::Call& call = context.call();
  if (call.kind == ir::CallKind::kIndirect) {
    Given given = given_arguments(context);
    if (given.values.empty()) return one(context, Value::unknown());
    return call_value(context, given.values[0], given.without(1));
  }
  if (call.kind == ir::CallKind::kMethod) return method_call(context);
  if (std::optional<Exits> exits = object_call(context)) return std::move(*exits);
  return direct_call(context);
}

}  // namespace placecheck::dataflow
