// A call in progress, as the effects of library calls see it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/dataflow/activation.h"

namespace placecheck::dataflow {

struct CallContext {
  Activation& activation;
  State& state;
  const ir::Instruction& instruction;
  const std::vector<Value>& arguments;  // as passed: addresses are not followed

  const ir::Call& call() const { return instruction.call; }
  size_t count() const { return arguments.size(); }
  Value read(size_t i) const {
    return i < arguments.size() ? state.read(arguments[i]) : Value::none();
  }
  // A text that is known to the letter.
  std::optional<std::string> text(const Value& value) const {
    if (!value.is(ValueKind::kString)) return std::nullopt;
    return activation.names().text(value.name);
  }
  ir::Range range(size_t i) const {
    return i < call().arguments.size() ? call().arguments[i].range : ir::Range();
  }
  // The position of the argument called `name`; `count()` if there is none.
  size_t named(std::string_view name) const {
    for (size_t i = 0; i < call().arguments.size() && i < count(); ++i) {
      if (call().arguments[i].name == name) return i;
    }
    return count();
  }
  OriginId origin(OriginKind kind) const { return activation.origin(kind, instruction.range); }
  ObjectId allocate(uint32_t ordinal = 0) const {
    return activation.allocate(&instruction, ordinal);
  }
  Name name(std::string_view text) const { return activation.name(text); }
  // An object of a library's class, without fields.
  Object library_object(std::string_view type_name) const {
    Object object;
    object.kind = ObjectKind::kLibrary;
    object.type_name = name(type_name);
    return object;
  }
  // An object of a class of the program, without fields.
  Object project_object(const ir::Class& type) const {
    Object object;
    object.kind = type.is_module ? ObjectKind::kModule : ObjectKind::kRecord;
    object.type = &type;
    object.type_name = name(type.name);
    object.origin = origin(OriginKind::kBuilt);
    return object;
  }
  Value make(Object object, uint32_t ordinal = 0) const {
    ObjectId id = allocate(ordinal);
    state.put(id, std::move(object));
    return Value::object_ref(id);
  }
};

// Runs a call: a function of the project, or what the models know of a library's. False if nothing
// is known; else the states in which it ends are in `exits` (none: it never returns).
bool apply_call(CallContext& context, Exits& exits);

}  // namespace placecheck::dataflow
