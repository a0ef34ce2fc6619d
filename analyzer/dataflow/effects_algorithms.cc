// Algorithms of the standard library that call a function for each element, or put the elements in
// order.
#include <algorithm>
#include <iterator>

#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/scalars.h"

namespace placecheck::dataflow {
namespace {

using models::Effect;

constexpr size_t kMostElements = 8;
constexpr size_t kMostExits = 8;

// std::plus<>().
bool is_plus(const CallContext& context, const Object& function) {
  return context.activation.names().text(function.type_name) == "std::plus";
}

// What an algorithm visits: each element of a short list, or one that stands for all.
struct Visited {
  std::vector<Value> elements;
  ObjectId list = kNoObject;  // none: the parameters of a module
  bool is_whole = false;      // `elements` are all that there are in the range
  size_t begin = 0;           // the position of the first of them in the list
  size_t next = 0;            // the first argument behind the range
};

bool is_call_of(CallContext& context, size_t i, std::string_view method, std::string_view other) {
  const auto& written = context.call().arguments;
  const ir::Instruction* made =
      i < written.size() ? context.activation.find_definition(written[i].value) : nullptr;
  if (!made || made->opcode != ir::Opcode::kCall) return false;
  std::string_view name = ir::last_component(made->call.name);
  return name == method || name == other;
}

// `begin() + n`.
bool is_moved_iterator(const Value& first) {
  return first.is(ValueKind::kAddress) && first.path == Value::kSomeElement && first.number > 0;
}

// From begin(), or some elements behind it, to end(); or a range. Nothing for other parts of a
// list.
std::optional<Visited> visited_by(CallContext& context) {
  bool is_range = context.call().name.starts_with("std::ranges::") &&
                  !context.read(0).is_tensor() &&
                  context.state.object_id_of(context.arguments[0]) != kNoObject;
  const Value first = context.arguments[0];
  const bool is_rest = is_moved_iterator(first);
  bool is_pair = context.count() > 1 && (is_rest || is_call_of(context, 0, "begin", "cbegin")) &&
                 is_call_of(context, 1, "end", "cend");
  if (!is_range && !is_pair) return std::nullopt;
  Visited visited;
  visited.begin = is_rest ? static_cast<size_t>(first.number) : 0;
  visited.next = is_range ? 1 : 2;
  if (first.is_tensor()) {
    visited.elements = {first};
    return visited;
  }
  bool is_iterator =
      is_rest || (first.is(ValueKind::kAddress) && first.path == Value::kEachElement);
  visited.list = is_iterator ? first.object : context.state.object_id_of(first);
  if (!context.state.has(visited.list)) return std::nullopt;
  const Object& list = context.state.object(visited.list);
  if (list.kind != ObjectKind::kContainer || !list.keys.empty()) return std::nullopt;
  visited.is_whole = !list.open && list.elements.size() <= kMostElements;
  for (size_t i = visited.begin; visited.is_whole && i < list.elements.size(); ++i)
    visited.elements.push_back(Value::address(visited.list, static_cast<int32_t>(i)));
  if (!visited.is_whole) visited.elements = {Value::address(visited.list, Value::kEachElement)};
  return visited;
}

// A parameter that is no reference takes what is at the address.
Value as_parameter(const State& state, const Value& function, const Value& element) {
  const Object* closure = state.object_of(function);
  const ir::Function* body = closure ? closure->function : nullptr;
  size_t first = body ? body->captures : 0;
  bool takes_reference =
      body && first < body->parameters.size() && body->parameters[first].by_reference;
  return takes_reference ? element : state.read(element);
}

// The function is called with one element after the other; false where that cannot be followed.
// `after` is told each result with the state in which it is there.
template <typename After>
bool call_for_each(CallContext& context, const Visited& visited, size_t function, Exits& exits,
                   After&& after) {
  Exits current;
  current.push_back({context.state, Value::unknown()});
  for (const Value& element : visited.elements) {
    Exits next;
    for (Exit& exit : current) {
      const Value called = context.arguments[function];
      const std::vector<Value> arguments{called, as_parameter(exit.state, called, element)};
      CallContext inner{context.activation, exit.state, context.instruction, arguments};
      Exits results;
      if (!call_function_value(inner, results, 0)) return false;
      for (Exit& result : results) {
        after(result, element);
        next.push_back(std::move(result));
      }
    }
    if (next.size() > kMostExits) return false;
    current = std::move(next);
  }
  exits = std::move(current);
  return true;
}

// `sum + element`.
void add_element(CallContext& context, const Visited& visited, const Value& element, Exit& exit) {
  CallContext inner{context.activation, exit.state, context.instruction, context.arguments};
  std::vector<Operand> operands = operands_of_pair(inner, exit.value, element);
  if (operands.empty()) {
    exit.value = Value::unknown();
    return;
  }
  operands[0].range = context.range(visited.next);
  operands[1].range = context.range(0);
  operands[1].is_part = true;
  const Rank rank = std::max(operands[0].rank, operands[1].rank);
  exit.value = combine(inner, "add", models::DeviceRule::kTensorIterator, operands, rank);
}

// accumulate(range, initial[, operation]): the result so far and one element after the other.
bool accumulate(CallContext& context, const Visited& visited, Exits& exits) {
  const size_t operation = visited.next + 1;
  const Object* function =
      operation < context.count() ? context.state.object_of(context.arguments[operation]) : nullptr;
  const bool is_sum = operation == context.count() || (function && is_plus(context, *function));
  if (context.count() > operation + 1 || (!is_sum && !function)) return false;
  exits = single_exit(context, context.read(visited.next));
  for (const Value& element : visited.elements) {
    if (is_sum) {
      add_element(context, visited, element, exits[0]);
      continue;
    }
    Exits next;
    for (Exit& exit : exits) {
      const std::vector<Value> arguments{context.arguments[operation], exit.value, element};
      CallContext inner{context.activation, exit.state, context.instruction, arguments};
      Exits results;
      if (!call_function_value(inner, results, 0)) return false;
      std::ranges::move(results, std::back_inserter(next));
    }
    if (next.size() > kMostExits) return false;
    exits = std::move(next);
  }
  return true;
}

bool for_each(CallContext& context, const Visited& visited, Exits& exits) {
  if (!call_for_each(context, visited, visited.next, exits, [](Exit&, const Value&) {}))
    return false;
  for (Exit& exit : exits) exit.value = Value::unknown();
  return true;
}

// any_of, all_of, none_of. Of elements that are alike the answer for one is the answer for all.
bool ask_elements(CallContext& context, Effect effect, const Visited& visited, Exits& exits) {
  bool is_decisive = effect != Effect::kAllOf;  // the answer that settles it
  Value found = Value::boolean(!is_decisive);
  bool is_known = true;
  auto note = [&](const Exit& exit, const Value&) {
    const Value answer = exit.state.read(exit.value);
    std::optional<bool> holds = truth(answer);
    is_known = is_known && holds.has_value();
    if (holds == is_decisive) found.number = is_decisive;
    found.asked |= answer.asked;
  };
  if (!call_for_each(context, visited, visited.next, exits, note)) return false;
  if (exits.size() != 1) return false;
  if (effect == Effect::kNoneOf) found.number = found.number == 0;
  exits[0].value =
      is_known ? found : context.activation.fresh_symbol(context.instruction, exits[0].state);
  return true;
}

// (range, where to, function): into another list, at its end or over its elements.
bool transform(CallContext& context, const Visited& visited, Exits& exits) {
  const size_t to = visited.next;
  if (context.count() != to + 2) return false;
  const Value target = context.arguments[to];
  bool is_appended = is_call_of(context, to, "back_inserter", "back_inserter");
  ObjectId list = target.is(ValueKind::kAddress) && target.path == Value::kEachElement
                      ? target.object
                      : context.state.object_id_of(target);
  bool is_list = context.state.has(list) &&
                 context.state.object(list).kind == ObjectKind::kContainer &&
                 context.state.object(list).keys.empty();
  bool is_in_place = is_list && list == visited.list && is_call_of(context, to, "begin", "begin");
  if (!is_list || (!is_appended && !is_in_place)) return false;
  auto put = [&](Exit& exit, const Value& element) {
    const Value made = exit.state.read(exit.value);
    if (is_in_place) return context.activation.assign(exit.state, element, made);
    Object& appended = exit.state.edit(list);
    if (!visited.is_whole && !appended.open) open_container(appended);
    append(appended, made);
  };
  if (!call_for_each(context, visited, to + 1, exits, put)) return false;
  for (Exit& exit : exits) exit.value = Value::unknown();
  return true;
}

// What is written there is not known.
void lose_target(CallContext& context, size_t to) {
  const Value target = to < context.count() ? context.arguments[to] : Value::unknown();
  ObjectId id = target.is(ValueKind::kAddress) && context.state.has(target.object) &&
                        context.state.object(target.object).kind == ObjectKind::kContainer
                    ? target.object
                    : context.state.object_id_of(target);
  if (!context.state.has(id) || context.state.object(id).kind != ObjectKind::kContainer) return;
  Object& list = context.state.edit(id);
  open_container(list);
  list.rest = Value::unknown();
}

// Known numbers in ascending order, or known elements the other way round.
bool put_in_order(CallContext& context, const Visited& visited, Exits& exits) {
  if (!visited.is_whole || visited.begin > 0 || visited.list == kNoObject ||
      context.count() != visited.next)
    return false;
  std::vector<Value>& elements = context.state.edit(visited.list).elements;
  if (ir::last_component(context.call().name) == "reverse") {
    std::ranges::reverse(elements);
  } else {
    bool are_numbers =
        std::ranges::all_of(elements, [](const Value& v) { return v.is(ValueKind::kInt); });
    if (!are_numbers) return false;
    std::ranges::stable_sort(elements, {}, &Value::number);
  }
  exits = single_exit(context, Value::unknown());
  return true;
}

}  // namespace

bool algorithm_effect(CallContext& context, Effect effect, Exits& exits) {
  if (effect != Effect::kForEach && effect != Effect::kAnyOf && effect != Effect::kAllOf &&
      effect != Effect::kNoneOf && effect != Effect::kTransform && effect != Effect::kReorder &&
      effect != Effect::kAccumulate)
    return false;
  if (context.count() == 0) return false;
  const std::optional<Visited> visited = visited_by(context);
  if (effect == Effect::kTransform && (!visited || !transform(context, *visited, exits))) {
    lose_target(context, visited ? visited->next : context.count() - 2);
    return false;
  }
  if (!visited) return false;
  if (effect == Effect::kTransform) return true;
  if (effect == Effect::kReorder) return put_in_order(context, *visited, exits);
  if (context.count() <= visited->next) return false;
  if (effect == Effect::kAccumulate) return accumulate(context, *visited, exits);
  if (context.count() != visited->next + 1) return false;
  if (effect == Effect::kForEach) return for_each(context, *visited, exits);
  if (ask_elements(context, effect, *visited, exits)) return true;
  // Who does not follow the question does not know the answer of any run.
  exits = single_exit(context, lost_answer(context));
  return true;
}

}  // namespace placecheck::dataflow
