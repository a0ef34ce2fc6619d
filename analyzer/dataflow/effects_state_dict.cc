// Named parameters: their keys, and looking those of one module up among another's.
#include <algorithm>

#include "analyzer/dataflow/effects.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kEntry = "a named parameter";
constexpr std::string_view kKey = "a key of a state dict";

std::vector<std::string> keys_of(CallContext& context, ObjectId module, bool& known) {
  std::vector<std::pair<std::string, Value>> tensors;
  known =
      registered_tensors(context.state, context.activation.names(), module, "", tensors) && known;
  std::vector<std::string> keys;
  keys.reserve(tensors.size());
  for (const auto& [name, value] : tensors) keys.push_back(name);
  return keys;
}

// The module that a key or an entry comes from; none for any other value.
ObjectId module_of(CallContext& context, size_t argument, std::string_view type_name) {
  const Object* object =
      argument < context.count() ? context.state.object_of(context.arguments[argument]) : nullptr;
  if (!object || context.activation.names().text(object->type_name) != type_name) return kNoObject;
  const Value* parameters = object->find(context.name("parameters"));
  return parameters ? parameters->object : kNoObject;
}

void look_up(CallContext& context, ObjectId from, ObjectId in, bool strict) {
  bool known = true;
  LoadStateEvent event;
  event.site = context.activation.site(context.instruction.range);
  event.saved_keys = keys_of(context, from, known);
  event.expected_keys = keys_of(context, in, known);
  event.type_name = context.activation.names().text(context.state.object(in).type_name);
  event.strict = strict;
  if (known) context.activation.notify(event, context.state);
}

}  // namespace

Value named_parameter(CallContext& context, const Value& parameters) {
  Object entry = context.library_object(kEntry);
  entry.set(context.name("parameters"), parameters);
  entry.set(context.name("value"),
            parameter_of(context.activation, context.state, parameters.object));
  return context.make(std::move(entry), 810);
}

bool keys_begin_with(CallContext& context, size_t argument, std::string_view part) {
  ObjectId module = module_of(context, argument, kKey);
  bool known = module != kNoObject;
  if (!known) return false;
  std::vector<std::string> keys = keys_of(context, module, known);
  return known && !keys.empty() &&
         std::all_of(keys.begin(), keys.end(),
                     [&](const std::string& key) { return key.starts_with(part); });
}

bool state_dict_call(CallContext& context, Value& result) {
  const std::string& name = context.call().name;
  if (!name.starts_with("torch::OrderedDict::")) return false;
  ObjectId entry = module_of(context, 0, kEntry);
  if (entry != kNoObject && name.ends_with("::value")) {
    result = *context.state.object_of(context.arguments[0])->find(context.name("value"));
    return true;
  }
  if (entry != kNoObject && name.ends_with("::key")) {
    Object key = context.library_object(kKey);
    key.set(context.name("parameters"), Value::parameters(entry));
    result = context.make(std::move(key));
    return true;
  }
  ObjectId from = module_of(context, 1, kKey);
  Value dictionary = context.read(0);
  if (from == kNoObject || !dictionary.is(ValueKind::kParameters)) return false;
  bool strict = name.ends_with("::operator[]");
  if (strict || name.ends_with("::find") || name.ends_with("::contains")) {
    look_up(context, from, dictionary.object, strict);
  }
  return false;
}

}  // namespace placecheck::dataflow
