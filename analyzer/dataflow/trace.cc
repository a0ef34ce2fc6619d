#include "analyzer/dataflow/trace.h"

namespace placecheck::dataflow {
namespace {

std::string place_in(const Value& value, const State& state, const Names& names) {
  return to_text(state.place_of(value), names);
}

std::string tensor_text(const Value& value, const State& state, const Names& names) {
  std::string text = value.place.kind == PlaceKind::kCell ? "registered tensor on " : "tensor on ";
  text += place_in(value, state, names);
  if (value.rank == Rank::kScalar) text += ", 0-dim";
  return text;
}

std::string object_text(const Value& value, const State& state, const Names& names) {
  if (!state.has(value.object)) return "object";
  const Object& object = state.object(value.object);
  std::string number = " #" + std::to_string(value.object);
  switch (object.kind) {
    case ObjectKind::kContainer:
    case ObjectKind::kTuple: {
      std::string text = object.kind == ObjectKind::kTuple ? "(" : "[";
      for (const Value& element : object.elements) {
        if (text.size() > 1) text += ", ";
        text += to_text(element, state, names);
      }
      if (object.open) text += "... of " + to_text(object.rest, state, names);
      return text + (object.kind == ObjectKind::kTuple ? ")" : "]");
    }
    case ObjectKind::kClosure:
      return "function " + (object.function ? object.function->name : "?");
    default: {
      std::string text =
          (object.is_module() ? "module " : "object ") + names.text(object.type_name) + number;
      for (const Registered& entry : object.registered) {
        if (entry.kind == RegisteredKind::kModule) continue;
        return text + " on " + place_in(entry.value, state, names);
      }
      return text;
    }
  }
}

}  // namespace

std::string to_text(const Value& value, const State& state, const Names& names) {
  switch (value.kind) {
    case ValueKind::kUnknown:
      return "unknown";
    case ValueKind::kNone:
      return "none";
    case ValueKind::kBool:
      return value.number ? "true" : "false";
    case ValueKind::kInt:
      return std::to_string(value.number);
    case ValueKind::kString:
      return "'" + names.text(value.name) + "'";
    case ValueKind::kSymbol:
      return names.text(value.name);
    case ValueKind::kDevice:
      return "device " + to_text(value.place, names);
    case ValueKind::kOptions:
      return value.has_place ? "options for " + to_text(value.place, names) : "options";
    case ValueKind::kTensor:
      return tensor_text(value, state, names);
    case ValueKind::kObject:
      return object_text(value, state, names);
    case ValueKind::kAddress: {
      Value content = state.read(value);
      return "address of " +
             (content.is(ValueKind::kAddress) ? "?" : to_text(content, state, names));
    }
    case ValueKind::kPointer:
      return (value.number == Value::kPinned ? "pointer to pinned memory on " : "pointer to ") +
             to_text(value.place, names);
    case ValueKind::kHandle:
      return names.text(value.name) + " of " + to_text(value.place, names);
    case ValueKind::kParameters:
      return "parameters of #" + std::to_string(value.object);
  }
  return "?";
}

std::string doubts_text(const State& state, const Names& names) {
  if (state.is_exact()) return "";
  std::string text = "  [no finding here:";
  if (state.is_of_doubtful_caller) text += " the caller's path is in doubt;";
  if (!state.doubts.is_exact()) text += " in doubt: " + state.doubts.to_text(names) + ";";
  text.back() = ']';
  return text;
}

}  // namespace placecheck::dataflow
