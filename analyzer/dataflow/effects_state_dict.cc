// Named parameters: their keys, and looking those of one module up among another's.
#include <algorithm>

#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/key_tables.h"
#include "analyzer/dataflow/saved_state.h"

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

ObjectId module_of_key(CallContext& context, size_t argument) {
  if (argument >= context.count()) return kNoObject;
  return owner_of_key(context.state, context.arguments[argument], context.activation.names());
}

void look_up(CallContext& context, ObjectId from, ObjectId in, bool strict) {
  std::optional<std::vector<std::string>> saved = keys_of_module(context, from);
  std::optional<std::vector<std::string>> expected = keys_of_module(context, in);
  if (!saved || !expected) return;
  LoadStateEvent event = load_event(context, in, std::move(*saved), std::move(*expected));
  event.strict = strict;
  context.activation.notify(event, context.state);
}

bool is_table(std::string_view name) {
  return name.starts_with("torch::OrderedDict::") || name.starts_with("std::map::") ||
         name.starts_with("std::unordered_map::");
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

Value named_parameter(CallContext& context, const Value& parameters) {
  Object entry = context.library_object(kEntry);
  entry.set(context.name(kKeyOwner), parameters);
  entry.set(context.name("value"),
            parameter_of(context.activation, context.state, parameters.object));
  return context.make(std::move(entry), 810);
}

Value key_of(CallContext& context, ObjectId module, uint32_t ordinal) {
  Object key = context.library_object(kKeyType);
  key.set(context.name(kKeyOwner), Value::parameters(module));
  return context.make(std::move(key), ordinal);
}

std::optional<std::vector<std::string>> keys_meant(CallContext& context, size_t argument) {
  ObjectId module = module_of_key(context, argument);
  return module == kNoObject ? std::nullopt : keys_of_module(context, module);
}

bool keys_begin_with(CallContext& context, size_t argument, std::string_view part) {
  std::optional<std::vector<std::string>> keys = keys_meant(context, argument);
  return keys && !keys->empty() && std::all_of(keys->begin(), keys->end(), [&](const auto& key) {
           return key.starts_with(part);
         });
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
    result = key_of(context, entry, 0);
    return true;
  }
  ObjectId asked = module_of_key(context, 1);
  std::optional<bool> strict = is_strict(name);
  if (asked == kNoObject || !strict) return false;
  Value dictionary = context.read(0);
  if (dictionary.is(ValueKind::kParameters)) {
    look_up(context, asked, dictionary.object, *strict);
    return false;
  }
  // What the program keeps in a table was saved there; the names that it asks for are to be loaded.
  ObjectId table = context.state.object_id_of(dictionary);
  ObjectId saved = owner_of_table(context.state, table, context.activation.names());
  if (saved != kNoObject) look_up(context, saved, asked, *strict);
  return false;
}

}  // namespace placecheck::dataflow
