// Named parameters: their keys, and looking those of one module up among another's.
#include <algorithm>

#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/key_tables.h"
#include "analyzer/dataflow/saved_state.h"
#include "analyzer/dataflow/scalars.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kEntry = "a named parameter";

// The module that an entry comes from; none for any other value.
ObjectId module_of_entry(CallContext& context) {
  const Object* object = context.state.object_of(context.arguments[0]);
  if (!object || context.activation.names().text(object->type_name) != kEntry) return kNoObject;
  const Value* parameters = object->find(context.name(kKeyOwner));
  return parameters ? parameters->object : kNoObject;
}

// What a look-up of that name says of a key that is not there.
KeyReader reader_of(std::string_view look_up) {
  if (look_up.starts_with("std::map::")) return KeyReader::kMap;
  if (look_up.starts_with("c10::Dict::")) return KeyReader::kDict;
  return look_up.starts_with("std::unordered_map::") ? KeyReader::kHashMap : KeyReader::kTable;
}

// Whether a name leads into a Sequential all of whose children are numbered, and not by a number.
// How many there are need not be known.
bool leads_past_numbers(CallContext& context, const Object& module, std::string_view name) {
  const auto is_number = [](std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, ::isdigit);
  };
  const models::ModuleModel* model = model_of(context.activation, module);
  const bool is_sequence = model && model->forward == models::Forward::kSequential &&
                           module.complete && !module.find(context.name(kComputedNames));
  return is_sequence && !module.registered.empty() && !is_number(name.substr(0, name.find('.'))) &&
         std::ranges::all_of(module.registered, [&](const Registered& entry) {
           return entry.kind == RegisteredKind::kModule &&
                  is_number(context.activation.names().text(entry.name));
         });
}

// Whether one of the module's tensors may have that name.
bool may_have_tensor(CallContext& context, ObjectId module, std::string_view name) {
  const Object& object = context.state.object(module);
  if (leads_past_numbers(context, object, name)) return false;
  if (!has_known_names(context, object)) return true;
  return std::ranges::any_of(object.registered, [&](const Registered& entry) {
    std::string_view registered = context.activation.names().text(entry.name);
    if (entry.kind != RegisteredKind::kModule) return name == registered;
    bool leads_there =
        name.starts_with(registered) && name.substr(registered.size()).starts_with(".");
    if (!leads_there || context.state.read(entry.value).is(ValueKind::kNone)) return false;
    ObjectId child = context.state.object_id_of(entry.value);
    return child == kNoObject || !entry.either.empty() ||
           may_have_tensor(context, child, name.substr(registered.size() + 1));
  });
}

std::optional<KeySet> key_set_of_argument(CallContext& context, size_t argument) {
  if (argument >= context.count()) return std::nullopt;
  return key_set_of(context.state, context.arguments[argument], context.activation.names());
}

// The names of a module or a table, and those that it is asked for.
struct LookUp {
  KeySet asked;
  KeySet kept;
  ObjectId in = kNoObject;
  bool is_module = false;  // `in` is one, else a table
  bool strict = false;
  bool is_checked = false;  // the program raises an exception itself where a name is missing
};

// Whether the block of a look-up ends with a branch of which one way ends in an exception.
bool decides_exception(CallContext& context) {
  const ir::Function& function = context.activation.function();
  const auto has_call = [&](const ir::Block& block) {
    return &context.instruction >= block.instructions.data() &&
           &context.instruction < block.instructions.data() + block.instructions.size();
  };
  const auto block = std::ranges::find_if(function.blocks, has_call);
  if (block == function.blocks.end()) return false;
  const ir::Instruction& last = block->instructions.back();
  const FunctionLayout& layout = context.activation.program().layout(function);
  return last.opcode == ir::Opcode::kBranch &&
         std::ranges::any_of(last.targets,
                             [&](uint32_t target) { return layout.ends_in_raise[target]; });
}

// Whether the program has asked before if the same names are there: what it does then is known
// there, and a name that is missing is passed over.
bool was_tried(CallContext& context, const LookUp& look_up) {
  const KeySet& asked = look_up.asked;
  Name tried =
      context.name("<tried " + asked.added + std::to_string(asked.dropped) + " of " +
                   std::to_string(asked.module) + " in " + std::to_string(look_up.in) + ">");
  bool was = context.state.find_global(tried) != nullptr;
  if (!look_up.strict) context.state.set_global(tried, Value::boolean(true));
  return was && look_up.strict;
}

// Whether a table of a module's names has one of these beside them, put there by itself.
bool has_beside(CallContext& context, ObjectId table, const std::vector<std::string>& asked) {
  const Object& object = context.state.object(table);
  return std::ranges::any_of(asked, [&](const std::string& name) {
    const Name key = context.name(name);
    return object.find(context.name(beside_mark(name))) ||
           std::ranges::any_of(object.keys, [&](const Value& each) {
             return each.is(ValueKind::kString) && each.name == key;
           });
  });
}

void notify_look_up(CallContext& context, const LookUp& look_up) {
  std::optional<std::vector<std::string>> asked = names_of_keys(context, look_up.asked);
  std::optional<std::vector<std::string>> kept = names_of_keys(context, look_up.kept);
  if (!asked || !kept || was_tried(context, look_up)) return;
  if (!look_up.is_module && has_beside(context, look_up.in, *asked)) return;
  // What the program keeps in a table was saved there, and is loaded into the module whose names
  // it asks for. The tensors of a module's own dictionary are loaded.
  LoadStateEvent event =
      look_up.is_module
          ? load_event(context, look_up.in, std::move(*asked), std::move(*kept))
          : load_event(context, look_up.asked.module, std::move(*kept), std::move(*asked));
  event.strict = look_up.strict || look_up.is_checked;
  event.reader = look_up.is_checked ? KeyReader::kProgram : reader_of(context.call().name);
  event.look_up = std::to_string(look_up.asked.module) + " in " + std::to_string(look_up.in);
  context.activation.notify(event, context.state);
}

// Whether a module within this one may have that name.
bool may_have_module(CallContext& context, ObjectId module, std::string_view name) {
  const Object& object = context.state.object(module);
  if (leads_past_numbers(context, object, name)) return false;
  if (!has_known_names(context, object)) return true;
  return std::ranges::any_of(object.registered, [&](const Registered& entry) {
    std::string_view registered = context.activation.names().text(entry.name);
    if (entry.kind != RegisteredKind::kModule || !name.starts_with(registered)) return false;
    std::string_view rest = name.substr(registered.size());
    if (rest.empty()) return true;
    ObjectId child = context.state.object_id_of(entry.value);
    return rest.starts_with(".") && (child == kNoObject || !entry.either.empty() ||
                                     may_have_module(context, child, rest.substr(1)));
  });
}

// What the module has: its children, or its tensors as far as these are its own or a library's.
std::vector<std::string> names_there(CallContext& context, ObjectId module, KeyReader reader) {
  std::vector<std::string> there;
  if (reader == KeyReader::kName) return keys_of_module(context, module).value_or(there);
  for (const Registered& entry : context.state.object(module).registered)
    if (entry.kind == RegisteredKind::kModule)
      there.push_back(context.activation.names().text(entry.name));
  return there;
}

void notify_missing(CallContext& context, ObjectId module, const std::string& name,
                    KeyReader reader) {
  MissingKeyEvent event;
  event.site = context.activation.site(context.instruction.range);
  event.key = name;
  event.there = names_there(context, module, reader);
  event.type_name = context.activation.names().text(context.state.object(module).type_name);
  event.reader = reader;
  context.activation.notify(event, context.state);
}

// One name, spelled out, that the module does not have, or only with a wrapper's prefix, or only
// without it.
void look_up_literal(CallContext& context, ObjectId module, const std::string& name,
                     KeyReader reader) {
  constexpr std::string_view kWrapped = "module.";
  bool is_tensor = reader == KeyReader::kName;
  auto may_have = [&](const std::string& each) {
    return is_tensor ? may_have_tensor(context, module, each)
                     : may_have_module(context, module, each);
  };
  // named_children() has none of the modules within those.
  const bool is_too_deep = reader == KeyReader::kChildName && name.find('.') != std::string::npos;
  if (!is_too_deep && may_have(name)) return;
  std::string other =
      name.starts_with(kWrapped) ? name.substr(kWrapped.size()) : std::string(kWrapped) + name;
  if (!may_have(other)) return notify_missing(context, module, name, reader);
  LoadStateEvent event = load_event(context, module, {other}, {name});
  event.reader = reader;
  context.activation.notify(event, context.state);
}

// The same in a list of a module's own modules.
void look_up_module(CallContext& context, const Object& list, const std::string& name) {
  for (auto [field, reader] :
       {std::pair(kChildrenOf, KeyReader::kChildName), {kModulesOf, KeyReader::kModuleName}}) {
    const Value* owner = list.find(context.name(field));
    if (!owner || !owner->is(ValueKind::kParameters) || !context.state.has(owner->object)) continue;
    ObjectId module = owner->object;
    return look_up_literal(context, module, name, reader);
  }
}

// A name that the program spells out, and has not asked for before.
void look_up_spelled_name(CallContext& context, const Value& dictionary) {
  std::optional<std::string> name = context.text(context.read(1));
  if (!name || was_looked_up(context, context.read(1))) return;
  if (dictionary.is(ValueKind::kParameters))
    look_up_literal(context, dictionary.object, *name, KeyReader::kName);
  else if (const Object* list = context.state.object_of(dictionary))
    look_up_module(context, *list, *name);
}

// The module's tensor of that name, which moves with it. A library's layer has one for all.
Value tensor_named(CallContext& context, ObjectId module, std::string_view name) {
  const auto layer_of = [](std::string_view path) {
    return path.substr(0, path.rfind('.') + 1);  // npos + 1 is 0
  };
  std::vector<std::pair<std::string, Value>> tensors;
  registered_tensors(context.state, context.activation.names(), module, "", tensors);
  auto found = std::ranges::find(tensors, name, &std::pair<std::string, Value>::first);
  if (found == tensors.end())
    found = std::ranges::find_if(tensors, [&](const auto& each) {
      return !layer_of(name).empty() && layer_of(each.first) == layer_of(name);
    });
  return found == tensors.end() ? Value::tensor(Place::unknown()) : found->second;
}

// The key or the value of an entry of a dictionary whose keys are known.
std::optional<Value> half_of_entry(CallContext& context) {
  const std::string& name = context.call().name;
  const Object* entry = context.state.object_of(context.arguments[0]);
  const bool is_pair = entry && entry->kind == ObjectKind::kTuple && entry->elements.size() == 2;
  const bool is_entry = name.starts_with("torch::OrderedDict::Item::") ||
                        name.starts_with("c10::impl::DictEntryRef::");
  if (!is_pair || !is_entry) return std::nullopt;
  const ObjectId id = context.state.object_id_of(context.arguments[0]);
  if (name.ends_with("::key")) return Value::address(id, 0);
  return name.ends_with("::value") ? std::optional(Value::address(id, 1)) : std::nullopt;
}

// What a dictionary of a module's own tensors lists: pairs(), items(), keys(), values().
std::optional<Value> listed_entries(CallContext& context) {
  const Value dictionary = context.read(0);
  const std::string_view method = ir::last_component(context.call().name);
  const bool are_pairs = method == "pairs" || method == "items";
  if (!dictionary.is(ValueKind::kParameters) ||
      (!are_pairs && method != "keys" && method != "values"))
    return std::nullopt;
  const Value key = key_of(context, KeySet::all_of(dictionary.object), 811);
  const Value tensor = parameter_of(context.activation, context.state, dictionary.object);
  Object pair;
  pair.kind = ObjectKind::kTuple;
  pair.elements = {key, tensor};
  const Value entry = are_pairs          ? context.make(std::move(pair), 812)
                      : method == "keys" ? key
                                         : tensor;
  return context.make(open_list(entry), 813);
}

// `state.update(net->named_buffers())`: all tensors of the module that it has the parameters of.
bool add_other_half(CallContext& context) {
  if (context.call().name != "torch::OrderedDict::update" || context.count() != 2) return false;
  Value dictionary = context.read(0);
  const Value more = context.read(1);
  const bool are_of_one_module = dictionary.is(ValueKind::kParameters) &&
                                 more.is(ValueKind::kParameters) &&
                                 more.object == dictionary.object;
  if (!are_of_one_module) return false;
  if (more.number != dictionary.number) dictionary.number = Value::kParametersAndBuffers;
  context.activation.assign(context.state, context.arguments[0], dictionary);
  return true;
}

// The program changes which names a dictionary of a module has, or takes those of another one.
void note_extended(CallContext& context) {
  static constexpr std::string_view kChanging[] = {"clear", "erase", "insert", "merge",
                                                   "pop",   "swap",  "update"};
  const std::string_view method = ir::last_component(context.call().name);
  if (std::ranges::find(kChanging, method) == std::end(kChanging)) return;
  if (context.read(0).is(ValueKind::kParameters))
    return context.activation.assign(context.state, context.arguments[0], Value::unknown());
  const bool joins = method == "merge" || method == "swap";
  for (size_t i = 0; i < context.count(); ++i) {
    const ObjectId table = context.state.object_id_of(context.arguments[i]);
    if (table == kNoObject) continue;
    std::vector<std::string_view> fields{kChildrenOf, kModulesOf};
    if (joins) fields.push_back(kKeyOwner);
    for (std::string_view field : fields) {
      if (context.state.object(table).find(context.name(field)))
        context.state.edit(table).set(context.name(field), Value::unknown());
    }
  }
}

bool is_table(std::string_view name) {
  return name.starts_with("torch::OrderedDict::") || name.starts_with("std::map::") ||
         name.starts_with("std::unordered_map::") || name.starts_with("c10::Dict::") ||
         name.starts_with("c10::impl::DictEntryRef::");
}

// A device's text is looked up in a table that has only those of others: "cuda" is not "cuda:0".
void note_missing_device(CallContext& context, const Value& table, const std::string& asked) {
  const Object* object = context.state.object_of(table);
  if (!object || !names_device(asked) || !has_device_keys(*object, context.activation.names()) ||
      has_key(*object, Value::string(context.name(asked))) != false)
    return;
  MissingKeyEvent event;
  event.site = context.activation.site(context.instruction.range);
  event.key = asked;
  for (const Value& key : object->keys)
    event.there.push_back(context.activation.names().text(key.name));
  event.reader = context.call().name.starts_with("std::unordered_map::") ? KeyReader::kHashMap
                                                                         : KeyReader::kMap;
  context.activation.notify(event, context.state);
}

// What a look-up does where the key is not there; nothing for other calls.
std::optional<bool> is_strict(std::string_view name) {
  std::string_view method = ir::last_component(name);
  bool is_dictionary = name.starts_with("torch::OrderedDict::");
  if (method == "at" || (method == "operator[]" && is_dictionary)) return true;
  bool asks = method == "find" || method == "contains" || method == "count";
  return asks ? std::optional<bool>(false) : std::nullopt;
}

}  // namespace

// Whether a part of the class could not be read: it may register anything.
static bool is_partial(CallContext& context, const ir::Class& type) {
  const ProgramIndex& program = context.activation.program();
  return std::ranges::any_of(type.methods, [&](const ir::Method& method) {
    const ir::Function* function =
        program.find_function(method.key, program.program().unit_of(type));
    return function && function->is_partial;
  });
}

bool has_known_names(CallContext& context, const Object& module) {
  if (module.type && is_partial(context, *module.type)) return false;
  const auto is_number = [&](const Registered& entry) {
    return std::ranges::all_of(context.activation.names().text(entry.name), ::isdigit);
  };
  return module.is_module() && module.complete && !model_of(context.activation, module) &&
         !module.find(context.name(kComputedNames)) &&
         std::ranges::none_of(module.registered, is_number);
}

Value named_parameter(CallContext& context, const Value& parameters) {
  Object entry = context.library_object(kEntry);
  entry.set(context.name(kKeyOwner), parameters);
  entry.set(context.name("value"),
            parameter_of(context.activation, context.state, parameters.object));
  return context.make(std::move(entry), 810);
}

Value key_of(CallContext& context, const KeySet& keys, uint32_t ordinal) {
  return context.make(key_object(keys, context.activation.names()), ordinal);
}

std::optional<std::vector<std::string>> names_of_keys(CallContext& context, const KeySet& keys) {
  std::optional<std::vector<std::string>> names = keys_of_module(context, keys.module);
  if (!names) return std::nullopt;
  for (std::string& name : *names) {
    std::optional<std::string> made = keys.applied_to(name);
    if (!made) return std::nullopt;
    name = std::move(*made);
  }
  return names;
}

std::optional<std::vector<std::string>> keys_meant(CallContext& context, size_t argument) {
  std::optional<KeySet> keys = key_set_of_argument(context, argument);
  return keys ? names_of_keys(context, *keys) : std::nullopt;
}

std::optional<bool> each_key(CallContext& context, const Value& key,
                             const std::function<bool(std::string_view)>& holds) {
  std::optional<KeySet> set = key_set_of(context.state, key, context.activation.names());
  std::optional<std::vector<std::string>> keys = set ? names_of_keys(context, *set) : std::nullopt;
  if (!keys || keys->empty()) return std::nullopt;
  auto of_those = static_cast<size_t>(std::ranges::count_if(*keys, holds));
  if (of_those == keys->size() || of_those == 0) return of_those > 0;
  forget_keys(context.state, set->module, context.activation.names());
  return std::nullopt;
}

bool state_dict_call(CallContext& context, Value& result) {
  const std::string& name = context.call().name;
  if (context.count() == 0 || !is_table(name)) return false;
  ObjectId entry = module_of_entry(context);
  if (entry != kNoObject && name.ends_with("::value")) {
    result = *context.state.object_of(context.arguments[0])->find(context.name("value"));
    return true;
  }
  if (entry != kNoObject && name.ends_with("::key")) {
    result = key_of(context, KeySet::all_of(entry), 0);
    return true;
  }
  if (std::optional<Value> half = half_of_entry(context)) {
    result = *half;
    return true;
  }
  if (std::optional<Value> list = listed_entries(context)) {
    result = *list;
    return true;
  }
  if (add_other_half(context)) {
    result = Value::none();
    return true;
  }
  note_extended(context);
  std::optional<bool> strict = is_strict(name);
  if (!strict) return false;
  if (!*strict) note_question(context, context.read(1));
  Value dictionary = context.read(0);
  if (*strict) look_up_spelled_name(context, dictionary);
  bool is_of_module = dictionary.is(ValueKind::kParameters);
  const std::optional<std::string> spelled = context.text(context.read(1));
  if (*strict && is_of_module && spelled) {
    result = tensor_named(context, dictionary.object, *spelled);
    return true;
  }
  if (*strict && spelled && name.starts_with("std::"))
    note_missing_device(context, dictionary, *spelled);
  std::optional<KeySet> asked = key_set_of_argument(context, 1);
  if (!asked) return false;
  ObjectId table = context.state.object_id_of(dictionary);
  std::optional<KeySet> kept =
      is_of_module ? KeySet::all_of(dictionary.object)
                   : key_set_of_table(context.state, table, context.activation.names());
  if (kept)
    notify_look_up(context, {*asked, *kept, is_of_module ? dictionary.object : table, is_of_module,
                             *strict, !*strict && decides_exception(context)});
  return false;
}

}  // namespace placecheck::dataflow
