// Tuples whose elements have names: collections.namedtuple and typing.NamedTuple.
#include <algorithm>

#include "analyzer/dataflow/dynamic.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kNamedTuple = "collections.namedtuple";
constexpr std::string_view kFields = "<fields>";  // of a tuple: their names in order

bool is_named_tuple_type(CallContext& context, const Object& object) {
  return object.kind == ObjectKind::kLibrary && object.type_name == context.name(kNamedTuple);
}

// "state action" or "state, action", or a list of such names; empty where they are not known.
std::vector<Value> names_of_fields(CallContext& context, const Value& given) {
  std::vector<Value> names;
  if (std::optional<std::string> text = context.text(given)) {
    llvm::SmallVector<llvm::StringRef> parts;
    std::string spaced = *text;
    for (char& each : spaced) each = each == ',' ? ' ' : each;
    llvm::StringRef(spaced).split(parts, ' ', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef part : parts) names.push_back(Value::string(context.name(part.str())));
    return names;
  }
  const Object* list = context.state.object_of(given);
  if (!list || !is_list(*list) || list->open) return {};
  for (const Value& each : list->elements) {
    const Value name = context.state.read(each);
    if (!name.is(ValueKind::kString)) return {};
    names.push_back(name);
  }
  return names;
}

}  // namespace

bool is_named_tuple(CallContext& context, const Object& object) {
  return object.kind == ObjectKind::kTuple && object.find(context.name(kFields));
}

std::optional<Value> type_of_named_tuple(CallContext& context, const Object& object) {
  if (!is_named_tuple(context, object)) return std::nullopt;
  const Value fields = *object.find(context.name(kFields));
  Object type = context.library_object(kNamedTuple);
  type.keys = names_of_fields(context, fields);
  return context.make(std::move(type));
}

std::optional<Value> named_tuple_type(CallContext& context, const std::string& name,
                                      const Given& given) {
  const std::optional<size_t> fields = given.find("field_names", 1);
  if (name != kNamedTuple || !fields) return std::nullopt;
  Object type = context.library_object(name);
  type.keys = names_of_fields(context, given.values[*fields]);
  return type.keys.empty() ? Value::unknown() : context.make(std::move(type));
}

std::optional<Value> make_named_tuple(CallContext& context, const Object& type,
                                      const Given& given) {
  if (!is_named_tuple_type(context, type)) return std::nullopt;
  const std::vector<size_t> positional = given.positional();
  Object tuple;
  tuple.kind = ObjectKind::kTuple;
  std::string names;
  for (size_t i = 0; i < type.keys.size(); ++i) {
    const Name field = type.keys[i].name;
    std::optional<size_t> at = given.named(context.activation.names().text(field));
    if (!at && i < positional.size() && !given.is_open) at = positional[i];
    const Value value = at ? context.state.read(given.values[*at]) : Value::unknown();
    tuple.elements.push_back(value);
    tuple.set(field, value);
    names += context.activation.names().text(field) + " ";
  }
  tuple.set(context.name(kFields), Value::string(context.name(names)));
  return context.make(std::move(tuple), 973);
}

void become_tuple(CallContext& context, ObjectId id) {
  Object& tuple = context.state.edit(id);
  tuple.kind = ObjectKind::kTuple;
  std::string names;
  for (const ir::Field& field : tuple.type->fields) {
    const Name name = context.name(field.name);
    const Value* given = tuple.find(name);
    const Value value = given ? context.state.read(*given) : Value::unknown();
    tuple.elements.push_back(value);
    tuple.set(name, value);
    names += field.name + " ";
  }
  tuple.set(context.name(kFields), Value::string(context.name(names)));
}

std::optional<Value> replaced_fields(CallContext& context, std::string_view method,
                                     const Given& given, const Value& self) {
  const Object* object = context.state.object_of(self);
  if (method != "_replace" || !object || object->is_module() || given.is_open) return std::nullopt;
  if (!is_named_tuple(context, *object)) return std::nullopt;
  Object copy = *object;
  const std::vector<Value> names = names_of_fields(context, *copy.find(context.name(kFields)));
  for (size_t i = 0; i < given.size(); ++i) {
    const Value field = Value::string(context.name(given.names[i]));
    const Value value = context.state.read(given.values[i]);
    const auto at = std::ranges::find(names, field.name, &Value::name);
    if (at != names.end()) copy.elements[static_cast<size_t>(at - names.begin())] = value;
    copy.set(field.name, value);
  }
  return context.make(std::move(copy), 974);
}

}  // namespace placecheck::dataflow
