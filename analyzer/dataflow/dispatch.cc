#include "analyzer/dataflow/dispatch.h"

#include <algorithm>

namespace placecheck::dataflow {
namespace {

using ir::TypeKind;

bool is_number(TypeKind kind) {
  return kind == TypeKind::kInt || kind == TypeKind::kFloat || kind == TypeKind::kBool;
}

// What a value is, where that is sure.
TypeKind kind_of(const Value& value, const State& state) {
  if (value.is_tensor()) return TypeKind::kTensor;
  if (value.is(ValueKind::kString)) return TypeKind::kString;
  if (value.is(ValueKind::kDevice)) return TypeKind::kDevice;
  const Object* object = state.object_of(value);
  if (object && object->is_module()) return TypeKind::kModule;
  if (object && object->kind == ObjectKind::kContainer) return TypeKind::kContainer;
  return TypeKind::kUnknown;
}

// Whether a parameter of one kind takes a value of the other, as far as can be told: records and
// the like may be made from anything.
bool takes(TypeKind parameter, TypeKind given) {
  bool is_plain = is_number(parameter) || parameter == TypeKind::kString ||
                  parameter == TypeKind::kTensor || parameter == TypeKind::kModule ||
                  parameter == TypeKind::kContainer;
  return given == TypeKind::kUnknown || parameter == given || !is_plain;
}

// Whether a function takes the call's arguments from `first` on, behind its `this`.
ProgramIndex::Accepts accepts(const CallContext& context, size_t first) {
  return [&context, first](const ir::Function& function) {
    for (size_t i = first; i < context.count(); ++i) {
      size_t at = i - first + 1;
      if (at >= function.parameters.size()) return true;
      if (!takes(function.parameters[at].type.kind, kind_of(context.read(i), context.state)))
        return false;
    }
    return true;
  };
}

}  // namespace

const ir::Function* forward_of(const CallContext& context, const ir::Class& type) {
  return context.activation.program().find_method(type, "forward", context.count() - 1,
                                                  accepts(context, 1));
}

const ir::Function* constructor_of(const CallContext& context, const ir::Class& type) {
  return context.activation.program().find_constructor(type, context.count(), accepts(context, 0));
}

const ir::Function* callee_of(const CallContext& context) {
  const ir::Call& call = context.call();
  Activation& activation = context.activation;
  const ir::Function* named = activation.program().find_function(call.key, activation.unit());
  if (call.kind != ir::CallKind::kMethod) return named;
  const Object* receiver =
      context.state.object_of(context.arguments.empty() ? Value::none() : context.arguments[0]);
  if (!receiver || !receiver->type) return named;
  const ir::Class& type = *receiver->type;
  std::string method(ir::last_component(call.name));
  const ir::Function* found =
      method == "operator()" && receiver->is_module()
          ? forward_of(context, type)
          : activation.program().find_method(type, method, context.count() - 1, accepts(context, 1),
                                             named ? call.key : "");
  // An override that calls what it overrides.
  if (found == &activation.function()) return named == found ? nullptr : named;
  return found ? found : named;
}

}  // namespace placecheck::dataflow
