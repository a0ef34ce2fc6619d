// Checkpoints: what was saved where, and what loading does.
#include "analyzer/dataflow/effects.h"

namespace placecheck::dataflow {
namespace {

using models::Effect;

constexpr std::string_view kProgram = "torch::jit::Module";

// Saved state is kept under the path, as a global of the program: a list of keys, and the place.
Name slot_of_path(CallContext& context, const Value& path) {
  bool usable = path.is(ValueKind::kString) || path.is(ValueKind::kSymbol);
  if (!usable) return 0;
  const std::string& text = context.activation.names().text(path.name);
  return context.name((path.is(ValueKind::kString) ? "@file " : "@file of ") + text);
}

Value key_list(CallContext& context, ObjectId module, bool& known) {
  std::vector<std::pair<std::string, Value>> tensors;
  known = registered_tensors(context.state, context.activation.names(), module, "", tensors);
  Object saved;
  saved.kind = ObjectKind::kLibrary;
  saved.origin = context.origin(OriginKind::kLoaded);
  Place place = tensors.empty() ? Place::unknown() : context.state.place_of(tensors[0].second);
  for (const auto& [name, value] : tensors) {
    saved.keys.push_back(Value::string(context.name(name)));
    if (!(context.state.place_of(value) == place)) place = Place::unknown();
  }
  saved.set(context.name("place"), Value::device(place));
  return context.make(std::move(saved), 800);
}

Value save(CallContext& context) {
  ObjectId module = context.state.object_id_of(context.arguments[0]);
  bool is_module = module != kNoObject && context.state.object(module).is_module();
  if (!is_module) return Value::none();
  context.activation.notify(ModuleEvent{context.activation.site(context.instruction.range),
                                        ModuleAction::kSaved, module, "save"},
                            context.state);
  Name slot = slot_of_path(context, context.read(1));
  if (!slot) return Value::none();
  bool known = false;
  Value keys = key_list(context, module, known);
  context.state.set_global(slot, known ? keys : Value::unknown());
  return Value::none();
}

std::vector<std::string> texts(CallContext& context, const Object& saved) {
  std::vector<std::string> keys;
  for (const Value& key : saved.keys) keys.push_back(context.activation.names().text(key.name));
  return keys;
}

void check_keys(CallContext& context, ObjectId module, const Object& saved) {
  std::vector<std::pair<std::string, Value>> expected;
  if (!registered_tensors(context.state, context.activation.names(), module, "", expected)) return;
  LoadStateEvent event;
  event.site = context.activation.site(context.instruction.range);
  event.saved_keys = texts(context, saved);
  for (const auto& [name, value] : expected) event.expected_keys.push_back(name);
  event.type_name = context.activation.names().text(context.state.object(module).type_name);
  event.saved_at = saved.origin;
  event.by_submodule = true;
  context.activation.notify(event, context.state);
}

// Without a device the module goes where the file's tensors were.
Value load(CallContext& context) {
  Name slot = context.count() > 1 ? slot_of_path(context, context.read(1)) : 0;
  const Value* saved = slot ? context.state.find_global(slot) : nullptr;
  Value file = saved ? *saved : Value::unknown();
  if (context.count() > 2 && context.read(2).is(ValueKind::kString))
    note_device_text(context, context.read(2));
  std::optional<Place> asked =
      context.count() > 2 ? named_place(context, context.read(2)) : std::nullopt;
  if (asked) use_device(context, *asked, context.read(2).origin);
  Place place = asked.value_or(Place::unknown());
  const Object* record = context.state.object_of(file);
  if (record && context.count() <= 2) {
    if (const Value* held = record->find(context.name("place"))) place = held->place;
  }
  ObjectId module = context.state.object_id_of(context.arguments[0]);
  if (module == kNoObject || !context.state.object(module).is_module()) {
    Value tensor = Value::tensor(place);
    tensor.origin = context.origin(OriginKind::kLoaded);
    context.activation.assign(context.state, context.arguments[0], tensor);
    return Value::none();
  }
  if (record) check_keys(context, module, *record);
  context.activation.notify(ModuleEvent{context.activation.site(context.instruction.range),
                                        ModuleAction::kLoaded, module, "load"},
                            context.state);
  move_module(context.activation, context.state, module, place,
              context.origin(OriginKind::kLoaded));
  return Value::none();
}

Value load_program(CallContext& context) {
  Place place = Place::unknown();
  for (size_t i = 1; i < context.count(); ++i) {
    if (std::optional<Place> named = named_place(context, context.read(i))) {
      place = *named;
      use_device(context, place, context.read(i).origin);
    }
  }
  Value tensor = Value::tensor(place, Rank::kNonScalar);
  tensor.origin = context.origin(OriginKind::kLoaded);
  Object cell;
  cell.kind = ObjectKind::kCell;
  cell.elements.push_back(tensor);
  Object module;
  module.kind = ObjectKind::kModule;
  module.type_name = context.name(kProgram);
  module.origin = tensor.origin;
  Value handle =
      Value::tensor(Place::cell(context.make(std::move(cell), 1).object), Rank::kNonScalar);
  module.registered.push_back({context.name("weight"), RegisteredKind::kParameter, handle});
  return context.make(std::move(module));
}

constexpr std::string_view kEntry = "a named parameter";
constexpr std::string_view kKey = "a key of a state dict";

std::vector<std::string> keys_of(CallContext& context, ObjectId module, bool& known) {
  std::vector<std::pair<std::string, Value>> tensors;
  known =
      registered_tensors(context.state, context.activation.names(), module, "", tensors) && known;
  std::vector<std::string> keys;
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
  Object entry;
  entry.kind = ObjectKind::kLibrary;
  entry.type_name = context.name(kEntry);
  entry.set(context.name("parameters"), parameters);
  entry.set(context.name("value"),
            parameter_of(context.activation, context.state, parameters.object));
  return context.make(std::move(entry), 810);
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
    Object key;
    key.kind = ObjectKind::kLibrary;
    key.type_name = context.name(kKey);
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

bool file_effect(CallContext& context, Effect effect, Value& result) {
  switch (effect) {
    case Effect::kSave:
      if (context.count() < 2) return false;
      result = save(context);
      return true;
    case Effect::kLoad:
      if (context.count() < 1) return false;
      result = load(context);
      return true;
    case Effect::kLoadProgram:
      result = load_program(context);
      return true;
    case Effect::kArchiveLoadFrom:
      result = Value::none();
      return true;
    default:
      return false;
  }
}

}  // namespace placecheck::dataflow
