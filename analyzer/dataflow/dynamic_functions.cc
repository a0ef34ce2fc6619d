#include "analyzer/dataflow/dynamic_functions.h"

#include "analyzer/dataflow/autograd_functions.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kApply = "apply of a function of autograd";
constexpr std::string_view kClass = "class";

// Not one that a decorator changes.
FoundMethod static_method(CallContext& context, const ir::Class& type, std::string_view name) {
  FoundMethod found = find_method(context.activation, type, name);
  return found.how == "static:" ? found : FoundMethod();
}

// `setup_context(ctx, inputs, output)`, where `forward` is not handed the context.
void set_up_context(CallContext& context, const ir::Class& type, const Value& autograd_context,
                    const Given& given, Exit& exit) {
  const FoundMethod setup = static_method(context, type, "setup_context");
  if (!setup.function) return;
  CallContext step{context.activation, exit.state, context.instruction, context.arguments};
  std::vector<Value> inputs(given.values.begin(), given.values.end());
  const Value list = make_list(step, std::move(inputs), ObjectKind::kTuple, 1976);
  Exits exits = call_function(step, *setup.function, {autograd_context, list, exit.value}, Given());
  if (!exits.empty()) exit.state = std::move(exits.front().state);
}

}  // namespace

bool is_autograd_function(Activation& activation, const ir::Class& type) {
  return derives_from_library(activation, type, [](std::string_view base) {
    return base.starts_with("torch.autograd.") && base.ends_with("Function");
  });
}

Exits apply_autograd_function(CallContext& context, const ir::Class& type, const Given& given) {
  const FoundMethod forward = static_method(context, type, "forward");
  const FoundMethod backward = static_method(context, type, "backward");
  if (!forward.function || given.is_open) return one(context, forget(context, given));
  const Value autograd_context = make_autograd_context(context);
  const bool takes_context = !find_method(context.activation, type, "setup_context").function;
  Exits exits =
      call_function(context, *forward.function,
                    takes_context ? std::vector{autograd_context} : std::vector<Value>(), given);
  for (Exit& exit : exits) {
    set_up_context(context, type, autograd_context, given, exit);
    if (!backward.function) continue;
    CallContext step{context.activation, exit.state, context.instruction, context.arguments};
    note_applied(step, *backward.function, autograd_context, exit.value);
  }
  return exits;
}

Value autograd_apply(CallContext& context, const Value& type) {
  Object apply = context.library_object(kApply);
  apply.set(context.name(kClass), type);
  return context.make(std::move(apply), 1977);
}

std::optional<Exits> call_autograd_apply(CallContext& context, const Object& callee,
                                         const Given& given) {
  if (!is_kind(context, &callee, kApply)) return std::nullopt;
  const Value* kept = callee.find(context.name(kClass));
  const ir::Class* type = kept ? class_of(context, *kept) : nullptr;
  if (!type) return std::nullopt;
  return apply_autograd_function(context, *type, given);
}

}  // namespace placecheck::dataflow
