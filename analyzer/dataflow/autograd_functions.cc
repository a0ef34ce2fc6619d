#include "analyzer/dataflow/autograd_functions.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "analyzer/dataflow/effects.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kContext = "torch::autograd::AutogradContext";
constexpr std::string_view kSaved = "saved_tensors";
constexpr std::string_view kApplied = "<functions whose gradients are computed by the program>";
// More uses than that are not followed.
constexpr size_t kMostApplied = 8;

// One entry of the list: the function, its context, its output.
enum Part : size_t { kBackward, kItsContext, kOutput, kParts };

bool is_same_use(const Object& entry, const Object& other, const State& state) {
  return state.object(entry.elements[kBackward].object).function ==
             state.object(other.elements[kBackward].object).function &&
         same(entry.elements[kItsContext], other.elements[kItsContext]) &&
         same(entry.elements[kOutput], other.elements[kOutput]);
}

std::vector<Value> outputs_of(const State& state, const Value& output) {
  const Value direct = state.read(output);
  if (direct.is_tensor()) return {direct};
  const Object* list = state.object_of(direct);
  if (!list || list->open || !is_list(*list)) return {};
  std::vector<Value> outputs;
  for (const Value& each : list->elements) outputs.push_back(state.read(each));
  return outputs;
}

// The gradients, each where its output is: one argument each in Python, a list in C++.
std::vector<Value> arguments_of(CallContext& context, const ir::Function& backward,
                                const Value& autograd_context, const Value& output) {
  std::vector<Value> gradients;
  for (const Value& each : outputs_of(context.state, output)) {
    Value gradient = Value::tensor(context.state.place_of(each), each.rank);
    gradient.origin = context.state.decider_of(each).origin;
    gradients.push_back(each.is_tensor() ? gradient : Value::unknown());
  }
  std::vector<Value> arguments{autograd_context};
  const bool takes_list = backward.parameters.size() == 2 &&
                          (backward.parameters[1].type.kind == ir::TypeKind::kContainer ||
                           backward.parameters[1].name.starts_with("*"));
  if (takes_list) {
    Object list;
    list.kind = ObjectKind::kContainer;
    list.elements = std::move(gradients);
    arguments.push_back(context.make(std::move(list), 1974));
  } else {
    arguments.insert(arguments.end(), gradients.begin(), gradients.end());
  }
  arguments.resize(backward.parameters.size(), Value::unknown());
  return arguments;
}

void run_backward(CallContext& context, const Object& entry) {
  const ir::Function* backward = context.state.object(entry.elements[kBackward].object).function;
  const Value output = entry.elements[kOutput];
  if (outputs_of(context.state, output).empty()) return;
  State state = context.state;
  state.set_global(context.name(kApplied), Value::none());
  CallContext step{context.activation, state, context.instruction, context.arguments};
  std::vector<Value> arguments = arguments_of(step, *backward, entry.elements[kItsContext], output);
  context.activation.invoke(*backward, std::move(arguments), state, context.instruction);
}

}  // namespace

Value make_autograd_context(CallContext& context) {
  return context.make(context.library_object(kContext), 1970);
}

std::optional<Value> autograd_context_call(CallContext& context, std::string_view method,
                                           const Value& self, std::vector<Value> given) {
  const ObjectId id = context.state.object_id_of(self);
  if (id == kNoObject || context.state.object(id).kind != ObjectKind::kLibrary ||
      context.activation.names().text(context.state.object(id).type_name) != kContext)
    return std::nullopt;
  const Name saved = context.name(kSaved);
  if (method == "get_saved_variables") {
    const Value* kept = context.state.object(id).find(saved);
    return kept ? *kept : Value::unknown();
  }
  if (method != "save_for_backward") return Value::unknown();
  Object list;
  list.kind = ObjectKind::kTuple;
  const Object* whole = given.size() == 1 ? context.state.object_of(given[0]) : nullptr;
  const bool is_list = whole && whole->kind == ObjectKind::kContainer;
  if (is_list && whole->open) return Value::none();
  for (const Value& each : is_list ? whole->elements : given)
    list.elements.push_back(context.state.read(each));
  const Value tuple = context.make(std::move(list), 1975);
  context.state.edit(id).set(saved, tuple);
  return Value::none();
}

bool autograd_effect(CallContext& context, models::Effect effect, Value& result) {
  if (effect != models::Effect::kAutogradContext || context.count() == 0) return false;
  const std::string_view method = ir::last_component(context.call().name);
  std::optional<Value> answer =
      autograd_context_call(context, method, context.arguments[0],
                            {context.arguments.begin() + 1, context.arguments.end()});
  if (answer) result = *answer;
  return answer.has_value();
}

void note_applied(CallContext& context, const ir::Function& backward, const Value& autograd_context,
                  const Value& output) {
  const Name applied = context.name(kApplied);
  Object function;
  function.kind = ObjectKind::kClosure;
  function.function = &backward;
  Object entry;
  entry.kind = ObjectKind::kTuple;
  entry.elements.resize(kParts);
  entry.elements[kBackward] = context.make(std::move(function), 1971);
  entry.elements[kItsContext] = autograd_context;
  entry.elements[kOutput] = output;
  Object list;
  list.kind = ObjectKind::kContainer;
  if (const Value* known = context.state.find_global(applied))
    if (const Object* kept = context.state.object_of(*known)) list = *kept;
  const bool is_known = std::ranges::any_of(list.elements, [&](const Value& each) {
    return is_same_use(context.state.object(each.object), entry, context.state);
  });
  if (is_known || list.elements.size() == kMostApplied) return;
  list.elements.push_back(context.make(std::move(entry), 1972));
  context.state.set_global(applied, context.make(std::move(list), 1973));
}

void run_backward_functions(CallContext& context) {
  const Value* applied = context.state.find_global(context.name(kApplied));
  const Object* list = applied ? context.state.object_of(*applied) : nullptr;
  if (!list) return;
  const std::vector<Value> entries = list->elements;
  for (const Value& each : entries) {
    const Object* entry = context.state.object_of(each);
    if (entry && entry->elements.size() == kParts) run_backward(context, Object(*entry));
  }
}

}  // namespace placecheck::dataflow
