// What is written to the parameters of a module, and what is computed from all of them.
#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/key_tables.h"

namespace placecheck::dataflow {
namespace {

// Some tensor beside the parameters of modules has got other data.
constexpr std::string_view kReplaced = "<replaced data>";

// The parameters, or buffers, get the place of `tensor`, whose parts or replacements they are.
void place_parameters(CallContext& context, const Value& parameters, const Value& tensor) {
  std::vector<std::pair<std::string, Value>> registered;
  const bool is_known = registered_tensors(context.state, context.activation.names(),
                                           parameters.object, "", registered);
  const bool are_buffers = parameters.number == Value::kBuffers;
  const bool are_all = parameters.number == Value::kParametersAndBuffers;
  for (const auto& [name, parameter] : registered) {
    const bool is_cell =
        parameter.place.kind == PlaceKind::kCell && context.state.has(parameter.place.symbol);
    if (!is_cell || (!are_all && parameter.requires_grad == are_buffers)) continue;
    Value& cell = context.state.edit(parameter.place.symbol).elements[0];
    cell.place = is_known ? tensor.place : Place::unknown();
    cell.origin = tensor.origin;
    cell.input = tensor.input;
  }
}

// The definition of the list, or of the entry, that the instruction takes an element of; null where
// it takes none, or always the same one.
const ir::Instruction* definition_of_list(const Activation& activation,
                                          const ir::Instruction& element) {
  const auto is_constant = [&](ir::Register value) {
    const ir::Instruction* made = activation.find_definition(value);
    return !made || made->opcode == ir::Opcode::kConst;
  };
  if (element.opcode == ir::Opcode::kIndex)
    return is_constant(element.operands[1]) ? nullptr
                                            : activation.find_definition(element.operands[0]);
  if (element.opcode != ir::Opcode::kCall) return nullptr;
  const ir::Call& call = element.call;
  const bool is_lookup = call.name.ends_with("::operator[]") || call.name.ends_with("::at");
  const bool takes_element =
      is_lookup ? call.arguments.size() == 2 && !is_constant(call.arguments[1].value)
                : call.name == "loop.element" || call.name == "torch::OrderedDict::Item::value";
  return takes_element && !call.arguments.empty()
             ? activation.find_definition(call.arguments[0].value)
             : nullptr;
}

// The parameters of which an iteration takes one: `p` of `for (auto& p : net->parameters())`,
// `item.value()`, `own[i]`, `own[item.key()]`.
std::optional<Value> parameters_taken_from(CallContext& context, ir::Register tensor) {
  constexpr int kMostSteps = 4;
  const Activation& activation = context.activation;
  const ir::Instruction* made = activation.find_definition(tensor);
  for (int steps = 0; made && steps < kMostSteps; ++steps) {
    const bool is_variable = made->opcode == ir::Opcode::kLoad || made->opcode == ir::Opcode::kRef;
    if (!is_variable) {
      made = definition_of_list(activation, *made);
      continue;
    }
    const Value held =
        context.state.read(context.activation.load_slot(context.state, made->symbol));
    if (held.is(ValueKind::kParameters)) return held;
    const Object* entry = context.state.object_of(held);
    const Value* owner = entry ? entry->find(context.name(kKeyOwner)) : nullptr;
    if (owner && owner->is(ValueKind::kParameters)) return *owner;
    made = activation.find_only_definition(made->symbol);
  }
  return std::nullopt;
}

// The tensors that an argument is, or may be one of.
void add_tensors_of(const State& state, const Value& argument, std::vector<Value>& tensors) {
  const bool is_element =
      argument.is(ValueKind::kAddress) && state.has(argument.object) &&
      (argument.path == Value::kSomeElement || argument.path == Value::kEachElement);
  const Object* list = is_element ? &state.object(argument.object) : state.object_of(argument);
  std::vector<Value> held;
  if (list && is_list(*list)) {
    held = list->elements;
  } else if (list && list->kind == ObjectKind::kRecord) {
    for (const auto& [field, value] : list->fields) held.push_back(value);
  } else {
    held.push_back(state.read(argument));
  }
  std::ranges::copy_if(held, std::back_inserter(tensors),
                       [](const Value& each) { return each.is_tensor() && each.origin != 0; });
}

void displace_copies(State& state, const std::vector<Value>& replaced) {
  const auto is_copy = [&](const Value& value) {
    return value.is_tensor() && std::ranges::any_of(replaced, [&](const Value& each) {
             return value.origin == each.origin && value.place == each.place;
           });
  };
  state.slots.replace_if(is_copy, Value::tensor(Place::unknown()));
  for (ObjectId id = 0; id < state.object_count(); ++id) {
    if (!state.has(id)) continue;
    bool holds_copy = false;
    for_each_value(state.object(id), [&](const Value& value) { holds_copy |= is_copy(value); });
    if (!holds_copy) continue;
    for_each_value(state.edit(id), [&](Value& value) {
      if (is_copy(value)) value.place = Place::unknown();
    });
  }
}

// The tensors of a module, or of a list; none where one may not be known.
std::vector<Value> listed_tensors(CallContext& context, const Value& parameters) {
  std::vector<Value> tensors;
  if (parameters.is(ValueKind::kParameters)) {
    std::vector<std::pair<std::string, Value>> registered;
    if (!registered_tensors(context.state, context.activation.names(), parameters.object, "",
                            registered))
      return {};
    for (const auto& [name, tensor] : registered) tensors.push_back(tensor);
    return tensors;
  }
  const Object* list = context.state.object_of(parameters);
  if (!list || !is_list(*list) || list->open) return {};
  for (const Value& each : list->elements) tensors.push_back(context.state.read(each));
  return tensors;
}

}  // namespace

void combine_gradients(CallContext& context, const Value& parameters, const std::string& operation,
                       Rank rank) {
  std::vector<Operand> gradients;
  for (const Value& tensor : listed_tensors(context, parameters)) {
    Operand gradient;
    gradient.decider = context.state.decider_of(tensor);
    gradient.place = context.state.place_of(tensor);
    gradient.rank = rank;
    gradient.range = context.range(0);
    gradient.origin = gradient.decider.origin;
    gradient.is_part = true;
    const bool is_known = std::ranges::any_of(
        gradients, [&](const Operand& each) { return each.place == gradient.place; });
    if (tensor.requires_grad && !is_known) gradients.push_back(std::move(gradient));
  }
  combine(context, operation, models::DeviceRule::kExactSame, std::move(gradients), rank);
}

// Each parameter becomes a part of the vector.
void set_parameters(CallContext& context) {
  const Value vector = context.state.decider_of(context.arguments[0]);
  const Value parameters = context.read(1);
  if (vector.is_tensor() && parameters.is(ValueKind::kParameters))
    place_parameters(context, parameters, vector);
}

void set_data(CallContext& context) {
  const Value self = context.read(0);
  const Value other = context.state.decider_of(context.arguments.back());
  if (self.is_tensor() && self.place.kind == PlaceKind::kCell &&
      context.state.has(self.place.symbol)) {
    context.state.edit(self.place.symbol).elements.assign(1, other);
    return;
  }
  if (!other.is_tensor()) return;
  const std::optional<Value> parameters =
      context.activation.runs_in_each_iteration(context.instruction)
          ? parameters_taken_from(context, context.call().arguments[0].value)
          : std::nullopt;
  if (parameters) return place_parameters(context, *parameters, other);
  displace_parameters(context.state, self);
  std::vector<Value> replaced;
  add_tensors_of(context.state, context.arguments[0], replaced);
  displace_copies(context.state, replaced);
  context.state.set_global(context.name(kReplaced), Value::boolean(true));
  context.activation.assign(context.state, context.arguments[0], other);
}

void displace_replaced(State& state, const State& before, const std::vector<Value>& arguments,
                       Names& names) {
  if (!state.find_global(names.intern(kReplaced))) return;
  std::vector<Value> replaced;
  for (const Value& each : arguments) add_tensors_of(before, each, replaced);
  displace_copies(state, replaced);
}

}  // namespace placecheck::dataflow
