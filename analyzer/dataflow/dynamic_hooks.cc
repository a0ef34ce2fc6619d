// What runs in place of a module's forward, or before it: forwards that a program replaces, and
// hooks that give it other inputs.
#include "analyzer/dataflow/dynamic.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kForward = "forward";
constexpr std::string_view kInputHook = "<a hook of the input>";
// The global that says so of a module that is not known: it may be any.
constexpr std::string_view kOfUnknown = "<a forward was replaced>";

Exits forget_call(CallContext& context, const Value& module, const Given& given) {
  Given all;
  all.add(module, {}, Given::kMade);
  for (const Value& each : given.values) all.add(each, {}, Given::kMade);
  return one(context, forget(context, all));
}

}  // namespace

void note_replaced_forward(CallContext& context, const Value& module, std::string_view attribute) {
  const Object* object = context.state.object_of(module);
  if (attribute == kForward && (!object || !object->complete))
    context.state.set_global(context.name(kOfUnknown), Value::boolean(true));
}

void note_hook(CallContext& context, const Value& module, std::string_view method) {
  if (method != "register_forward_pre_hook" && method != "register_module_forward_pre_hook") return;
  const ObjectId id = context.state.object_id_of(module);
  if (id == kNoObject || !context.state.object(id).is_module())
    context.state.set_global(context.name(kOfUnknown), Value::boolean(true));
  else
    context.state.edit(id).set(context.name(kInputHook), Value::boolean(true));
}

std::optional<Exits> call_replaced_forward(CallContext& context, const Value& module,
                                           const Given& given) {
  const Object& object = *context.state.object_of(module);
  if (object.find(context.name(kInputHook)) || context.state.find_global(context.name(kOfUnknown)))
    return forget_call(context, module, given);
  const Value* own = object.find(context.name(kForward));
  if (!own) return std::nullopt;
  const Value forward = *own;
  const Object* function = context.state.object_of(forward);
  const bool is_followed = function && function->kind == ObjectKind::kClosure;
  return is_followed ? call_value(context, forward, given) : forget_call(context, module, given);
}

}  // namespace placecheck::dataflow
