// Objects that are nothing but their attributes, and the attributes of an object as a table.
#include <algorithm>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/scalars.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kFieldWithFactory = "dataclasses.field";
constexpr std::string_view kFactory = "default_factory";

constexpr std::string_view kView = "vars";
constexpr std::string_view kOf = "source";
constexpr std::string_view kRegistered = "registered";

// The object whose attributes a table is, or the module of which it is what is registered.
struct Attributes {
  Value object;
  std::optional<RegisteredKind> kind;
};

std::optional<Attributes> viewed(CallContext& context, const Value& view) {
  const Object* object = context.state.object_of(view);
  if (!is_kind(context, object, kView)) return std::nullopt;
  Attributes attributes{*object->find(context.name(kOf)), std::nullopt};
  if (const Value* kind = object->find(context.name(kRegistered)))
    attributes.kind = static_cast<RegisteredKind>(kind->number);
  return attributes;
}

// The table as it is now.
Value table_of(CallContext& context, const Attributes& attributes) {
  if (attributes.kind == RegisteredKind::kModule)
    return table_of_children(context, attributes.object.object);
  Object table;
  table.kind = ObjectKind::kContainer;
  table.is_map = true;
  const Object& from = *context.state.object_of(attributes.object);
  if (attributes.kind) {
    for (const Registered& each : from.registered) {
      if (each.kind == attributes.kind) append(table, each.value, Value::string(each.name));
    }
  } else {
    for (const auto& [name, value] : from.fields) append(table, value, Value::string(name));
  }
  if (!from.complete) {
    open_container(table);
    table.rest = Value::unknown();
  }
  return context.make(std::move(table), 926);
}

// The fields of a data class, in the order of the class, as dataclasses.fields() lists them.
std::vector<std::string> fields_of(CallContext& context, const Object& object) {
  std::vector<std::string> fields;
  const std::vector<const ir::Class*> order = lookup_order(context.activation, *object.type);
  // Those of the bases come first.
  for (const ir::Class* type : std::views::reverse(order)) {
    for (const ir::Field& each : type->fields) {
      const Name name = context.activation.names().find(each.name);
      const bool is_known = std::ranges::find(fields, each.name) != fields.end();
      if (name != 0 && object.find(name) && !is_known) fields.push_back(each.name);
    }
  }
  return fields;
}

Value list_of_fields(CallContext& context, const Object& object) {
  constexpr uint32_t kFirstField = 1500;
  std::vector<Value> listed;
  for (const std::string& each : fields_of(context, object)) {
    Object field;
    field.kind = ObjectKind::kRecord;
    field.type_name = context.name("dataclasses.Field");
    field.complete = false;
    field.set(context.name("name"), Value::string(context.name(each)));
    listed.push_back(
        context.make(std::move(field), kFirstField + static_cast<uint32_t>(listed.size())));
  }
  return make_list(context, std::move(listed), ObjectKind::kTuple, kFirstField - 1);
}

// dataclasses.replace(object, field=...)
Value copy_with(CallContext& context, const Object& object, const Given& given) {
  Object copy = object;
  const std::vector<std::string> fields = fields_of(context, object);
  for (size_t i = 1; i < given.size(); ++i)
    copy.set(context.name(given.names[i]), context.state.read(given.values[i]));
  // What else was given is not known by name.
  for (const std::string& each : fields) {
    if (given.is_open && !given.named(each)) copy.set(context.name(each), Value::unknown());
  }
  return context.make(std::move(copy), 1498);
}

// What is done with the attributes cannot be followed.
Value forget_object(CallContext& context, const Value& object) {
  Given all;
  all.add(object, {}, Given::kMade);
  return forget(context, all);
}

}  // namespace

std::optional<Value> make_namespace(CallContext& context, std::string_view name,
                                    const Given& given) {
  const bool is_simple = name == "types.SimpleNamespace";
  // Without attributes, it is for a parser of arguments to fill.
  const bool is_of_parser = name == "argparse.Namespace" && given.size() > 0;
  if (!is_simple && !is_of_parser) return std::nullopt;
  Object made;
  made.kind = ObjectKind::kRecord;
  made.type_name = context.name(name);
  made.complete = !given.is_open;
  if (given.is_open)
    made.symbol = context.activation.fresh_symbol(context.instruction, context.state).name;
  for (size_t i = 0; i < given.size(); ++i) {
    if (!given.names[i].empty()) made.set(context.name(given.names[i]), given.values[i]);
  }
  return context.make(std::move(made));
}

void make_default_fields(CallContext& context, const Value& object, const ir::Class& type) {
  for (const ir::Class* each : lookup_order(context.activation, type)) {
    for (const ir::Field& field : each->fields) {
      const Name name = context.name(field.name);
      if (context.state.object_of(object)->find(name)) continue;
      const std::optional<Value> value = class_attribute(context, *each, field.name);
      const Object* made_with = value ? context.state.object_of(*value) : nullptr;
      const bool has_factory = made_with && made_with->kind == ObjectKind::kLibrary &&
                               made_with->type_name == context.name(kFieldWithFactory);
      if (!has_factory) continue;
      const Value* factory = made_with->find(context.name(kFactory));
      Exits exits = factory ? call_value(context, Value(*factory), {}) : Exits();
      if (exits.size() != 1) continue;
      context.state = std::move(exits.front().state);
      context.state.edit(object.object).set(name, exits.front().value);
    }
  }
}

std::optional<Value> data_class_function(CallContext& context, std::string_view name,
                                         const Given& given) {
  constexpr std::string_view kPackage = "dataclasses.";
  if (!name.starts_with(kPackage) || given.size() == 0) return std::nullopt;
  name.remove_prefix(kPackage.size());
  if (name == "field") {
    if (const std::optional<size_t> value = given.named("default")) return given.values[*value];
    const std::optional<size_t> factory = given.named("default_factory");
    if (!factory) return std::nullopt;
    Object field = context.library_object(kFieldWithFactory);
    field.set(context.name(kFactory), context.state.read(given.values[*factory]));
    return context.make(std::move(field));
  }
  const Value direct = context.state.read(given.values[0]);
  const Object* object = context.state.object_of(direct);
  const bool is_record = direct.is_object() && object && object->kind == ObjectKind::kRecord &&
                         object->type && object->complete && !object->type->fields.empty() &&
                         !find_method(context.activation, *object->type, "__init__").function;
  if (name == "is_dataclass") {
    const bool is_other = direct.is_tensor() || direct.is_scalar() || direct.is(ValueKind::kNone) ||
                          (object && (is_list(*object) || object->is_module()));
    return is_record || is_other ? Value::boolean(is_record) : lost_scalar(context);
  }
  if (!is_record) return std::nullopt;
  if (name == "fields") return list_of_fields(context, Object(*object));
  if (name == "replace") return copy_with(context, Object(*object), given);
  return std::nullopt;
}

Value make_module(CallContext& context) {
  Object made;
  made.kind = ObjectKind::kRecord;
  made.type_name = context.name("module");
  made.complete = false;
  for (size_t i = 0; i + 1 < context.count(); i += 2) {
    if (const std::optional<std::string> name = context.text(context.read(i)))
      made.set(context.name(*name), context.read(i + 1));
  }
  return context.make(std::move(made));
}

std::optional<Value> registered_in(CallContext& context, const Value& module,
                                   std::string_view attribute) {
  constexpr std::pair<std::string_view, RegisteredKind> kTables[] = {
      {"_parameters", RegisteredKind::kParameter},
      {"_buffers", RegisteredKind::kBuffer},
      {"_modules", RegisteredKind::kModule}};
  const auto* table =
      std::ranges::find(kTables, attribute, &std::pair<std::string_view, RegisteredKind>::first);
  if (table == std::end(kTables)) return std::nullopt;
  Object view = context.library_object(kView);
  view.set(context.name(kOf), context.state.read(module));
  view.set(context.name(kRegistered), Value::integer(static_cast<int64_t>(table->second)));
  return context.make(std::move(view), 927 + static_cast<uint32_t>(table->second));
}

std::optional<Value> attributes_of(CallContext& context, const Value& value, uint32_t ordinal) {
  const Value direct = context.state.read(value);
  const Object* object = context.state.object_of(direct);
  if (!direct.is_object() || !object || object->kind != ObjectKind::kRecord) return std::nullopt;
  Object view = context.library_object(kView);
  view.set(context.name(kOf), direct);
  return context.make(std::move(view), ordinal);
}

Exits attribute_or(CallContext& context, const Value& value, const std::string& name,
                   const Value& otherwise) {
  const Value direct = context.state.read(value);
  const Object* object = context.state.object_of(direct);
  if (!object || !(object->kind == ObjectKind::kRecord || object->is_module()))
    return one(context, Value::unknown());
  const Name field = context.name(name);
  const Value* held = object->find(field);
  const bool has =
      held ? !held->is(ValueKind::kUnknown) : object->find_registered(field) != nullptr;
  if (has) return get_attribute(context, direct, name);
  if (object->type && object->complete && object->symbol == 0) {
    const std::optional<bool> has_own = has_own_attribute(context, *object, field);
    if (has_own) return *has_own ? get_attribute(context, direct, name) : one(context, otherwise);
  }
  const bool is_namespace = object->kind == ObjectKind::kRecord && !object->type;
  if (is_namespace && object->complete && !held) return one(context, otherwise);
  return one(context, Value::unknown());
}

std::optional<Value> table_of_attributes(CallContext& context, const Value& value) {
  const std::optional<Attributes> attributes = viewed(context, value);
  if (!attributes) return std::nullopt;
  return table_of(context, *attributes);
}

std::optional<Exits> item_of_attributes(CallContext& context, const Value& view, const Value& key) {
  const std::optional<Attributes> attributes = viewed(context, view);
  if (!attributes) return std::nullopt;
  if (attributes->kind) return get_item(context, table_of(context, *attributes), key);
  const std::optional<std::string> name = context.text(key);
  return name ? get_attribute(context, attributes->object, *name) : one(context, Value::unknown());
}

bool set_item_of_attributes(CallContext& context, const Value& view, const Value& key,
                            const Value& value) {
  const std::optional<Attributes> attributes = viewed(context, view);
  if (!attributes) return false;
  if (const std::optional<std::string> name = context.text(key)) {
    set_attribute(context, attributes->object, *name, value);
    return true;
  }
  forget_object(context, attributes->object);
  return true;
}

std::optional<Exits> attributes_method(CallContext& context, const std::string& name,
                                       const Given& given) {
  const std::optional<Attributes> attributes = viewed(context, given.values[0]);
  if (!attributes) return std::nullopt;
  const Value object = attributes->object;
  constexpr std::string_view kReading[] = {"copy", "get", "items", "keys", "values"};
  if (std::ranges::find(kReading, name) != std::end(kReading)) {
    Given table = given;
    table.values[0] = table_of(context, *attributes);
    return container_method(context, name, table);
  }
  const std::vector<size_t> positional = given.positional();
  const Object* more =
      positional.size() > 1 ? context.state.object_of(given.values[positional[1]]) : nullptr;
  const bool is_known = positional.size() == 1 || (more && has_text_keys(*more));
  if (name != "update" || given.is_open || !is_known)
    return one(context, forget_object(context, object));
  const Object from = more ? *more : Object();
  for (size_t i = 0; i < from.keys.size(); ++i)
    set_attribute(context, object, context.activation.names().text(from.keys[i].name),
                  from.elements[i]);
  for (size_t i = 1; i < given.size(); ++i) {
    if (!given.names[i].empty()) set_attribute(context, object, given.names[i], given.values[i]);
  }
  return one(context, Value::none());
}

}  // namespace placecheck::dataflow
