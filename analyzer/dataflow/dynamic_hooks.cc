// What runs in place of a module's forward, before it, or after it: forwards that a program
// replaces, and hooks.
#include <string>
#include <utility>
#include <vector>

#include "analyzer/dataflow/dynamic.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kForward = "forward";
constexpr std::string_view kInputHook = "<a hook of the input>";
// The global that says so of a module that is not known: it may be any.
constexpr std::string_view kOfUnknown = "<a forward was replaced>";

constexpr std::string_view kHandle = "torch.utils.hooks.RemovableHandle";
constexpr std::string_view kModule = "module";
constexpr std::string_view kHook = "hook";
constexpr int kMostHooks = 4;  // of one module

Name slot(CallContext& context, int number) {
  return context.name("<forward hook " + std::to_string(number) + ">");
}

void add_hooks(CallContext& context, const Value& module, bool is_inner,
               std::vector<ForwardHook>& hooks) {
  const Object& object = *context.state.object_of(module);
  for (int i = 0; i < kMostHooks; ++i) {
    const Value* function = object.find(slot(context, i));
    if (!function) break;  // the first free slot is taken first
    if (!function->is(ValueKind::kNone)) hooks.push_back({module, *function, is_inner});
  }
}

// What a part of a network returns is where the network's output is.
Value output_of_part(const State& state, const Value& output) {
  Value part = state.decider_of(output);
  part.rank = Rank::kNonScalar;
  return part.is_tensor() ? part : Value::unknown();
}

Exits run_hook(CallContext& context, const ForwardHook& hook, const Value& inputs,
               const Value& output) {
  Given given;
  for (const Value& each : {hook.module, inputs, output}) given.add(each, {}, Given::kMade);
  return call_value(context, hook.function, given);
}

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
  const ObjectId id = context.state.object_id_of(module);
  const Object& object = context.state.object(id);
  const Name mark = context.name(kInputHook);
  if (object.find(mark)) {
    Exits exits = forget_call(context, module, given);
    // The hook is there in the next call as well.
    for (Exit& exit : exits)
      if (exit.state.has(id)) exit.state.edit(id).set(mark, Value::boolean(true));
    return exits;
  }
  if (context.state.find_global(context.name(kOfUnknown)))
    return forget_call(context, module, given);
  const Value* own = object.find(context.name(kForward));
  if (!own) return std::nullopt;
  const Value forward = *own;
  const Object* function = context.state.object_of(forward);
  const bool is_followed = function && function->kind == ObjectKind::kClosure;
  return is_followed ? call_value(context, forward, given) : forget_call(context, module, given);
}

std::vector<ForwardHook> forward_hooks_of(CallContext& context, const Value& module) {
  std::vector<ForwardHook> hooks;
  const ObjectId id = context.state.object_id_of(module);
  if (id == kNoObject || !is_dynamic(context.activation.function())) return hooks;
  if (is_network(context, id)) {
    for (const Registered& each : context.state.object(id).registered)
      if (each.kind == RegisteredKind::kModule && context.state.object_of(each.value))
        add_hooks(context, each.value, /*is_inner=*/true, hooks);
  }
  add_hooks(context, module, /*is_inner=*/false, hooks);
  return hooks;
}

Exits run_forward_hooks(CallContext& context, const std::vector<ForwardHook>& hooks,
                        const std::vector<Value>& inputs, Exits exits) {
  constexpr size_t kMostExits = 4;
  for (const ForwardHook& hook : hooks) {
    Exits next;
    for (Exit& exit : exits) {
      const Value output = exit.value;
      CallContext after{context.activation, exit.state, context.instruction, context.arguments};
      const Value given =
          hook.is_inner ? Value::unknown() : make_list(after, inputs, ObjectKind::kTuple, 958);
      const Value seen = hook.is_inner ? output_of_part(exit.state, output) : output;
      for (Exit& end : run_hook(after, hook, given, seen)) {
        // A hook that returns something replaces the output.
        if (hook.is_inner || end.value.is(ValueKind::kNone)) end.value = output;
        if (next.size() < kMostExits) next.push_back(std::move(end));
      }
    }
    exits = std::move(next);
  }
  return exits;
}

std::optional<Value> register_forward_hook(CallContext& context, const Given& given) {
  const ObjectId module = context.state.object_id_of(given.values[0]);
  const bool is_simple = given.size() == 2 && given.names[1].empty() && !given.is_open;
  if (module == kNoObject || !is_simple) return std::nullopt;
  int number = 0;
  while (number < kMostHooks) {
    const Value* known = context.state.object(module).find(slot(context, number));
    if (!known || known->is(ValueKind::kNone)) break;
    ++number;
  }
  if (number == kMostHooks) return std::nullopt;
  context.state.edit(module).set(slot(context, number), given.values[1]);
  Object handle = context.library_object(kHandle);
  handle.set(context.name(kModule), given.values[0]);
  handle.set(context.name(kHook), given.values[1]);
  return context.make(std::move(handle));
}

std::optional<Value> hook_handle_method(CallContext& context, std::string_view name,
                                        const Value& self) {
  const Object* handle = context.state.object_of(self);
  if (!is_kind(context, handle, kHandle) || name != "remove") return std::nullopt;
  const ObjectId module = context.state.object_id_of(*handle->find(context.name(kModule)));
  const Value hook = *handle->find(context.name(kHook));
  for (int i = 0; module != kNoObject && i < kMostHooks; ++i) {
    const Value* known = context.state.object(module).find(slot(context, i));
    if (known && same(*known, hook))
      context.state.edit(module).set(slot(context, i), Value::none());
  }
  return Value::none();
}

}  // namespace placecheck::dataflow
