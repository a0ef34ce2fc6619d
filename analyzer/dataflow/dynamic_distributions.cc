// torch.distributions: a distribution is where its parameters are; what is drawn of it is there,
// too, and what it is asked about has to be.
#include <algorithm>
#include <iterator>

#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/effects.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kPackage = "torch.distributions.";

bool is_one_of(std::string_view name, const auto& names) {
  return std::ranges::find(names, name) != std::end(names);
}

const Object* distribution(CallContext& context, const Value& value) {
  const Object* object = context.state.object_of(value);
  const bool is_library = object && object->kind == ObjectKind::kLibrary;
  return is_library && context.activation.names().text(object->type_name).starts_with(kPackage)
             ? object
             : nullptr;
}

// The tensors that a distribution is made of, first the one that says where it is; none where that
// is not known.
std::vector<Value> parameters_of(CallContext& context, const Value& value) {
  const Object* object = distribution(context, value);
  return object ? object->elements : std::vector<Value>();
}

std::optional<Value> parameter_of(CallContext& context, const Value& value) {
  const std::vector<Value> parameters = parameters_of(context, value);
  return parameters.empty() ? std::nullopt : std::optional(parameters.front());
}

// A tensor with what is certain of the parameter: where it is.
Value like(CallContext& context, const Value& parameter) {
  Value tensor = context.state.decider_of(parameter);
  tensor.rank = Rank::kUnknown;
  tensor.stray = false;
  return tensor;
}

// Tensors, first those that have dimensions, the parameters of distributions among what is given,
// or numbers alone, which are made tensors.
std::vector<Value> parameters_among(CallContext& context, const Given& given) {
  bool are_numbers = given.size() > 0 && !given.is_open;
  std::vector<Value> parameters, scalars;
  for (const Value& each : given.values) {
    const Value value = context.state.read(each);
    std::ranges::copy(parameters_of(context, value), std::back_inserter(parameters));
    if (value.is_tensor())
      (is_non_scalar(context.state.decider_of(value).rank) ? parameters : scalars).push_back(value);
    are_numbers &= value.is_scalar() && !value.is(ValueKind::kString);
  }
  std::ranges::copy(scalars, std::back_inserter(parameters));
  if (!parameters.empty() || !are_numbers) return parameters;
  Value made = Value::tensor(Place::cpu());
  made.origin = context.origin(OriginKind::kCreated);
  return {made};
}

Exits meet(CallContext& context, const Value& parameter, const Value& value, size_t source) {
  Given operands;
  operands.add(parameter, {}, Given::kMade);
  operands.add(value, {}, source);
  return call_as(context, operands, "at::sub");
}

// What is drawn of a distribution is computed from all of its parameters.
void meet_parameters(CallContext& context, const Value& distribution) {
  const std::vector<Value> parameters = parameters_of(context, distribution);
  for (size_t i = 1; i < parameters.size(); ++i) {
    const Value& other = parameters[i];
    if (!is_non_scalar(context.state.decider_of(other).rank)) continue;
    Exits exits = meet(context, parameters.front(), other, Given::kMade);
    if (!exits.empty()) context.state = std::move(exits.front().state);
  }
}

}  // namespace

std::optional<Exits> distribution_function(CallContext& context, const std::string& name,
                                           const Given& given) {
  if (!name.starts_with(kPackage)) return std::nullopt;
  if (is_class_name(name)) {
    Object made = context.library_object(name);
    made.elements = parameters_among(context, given);
    return single_exit(context, context.make(std::move(made)));
  }
  if (last_part(name) != "kl_divergence" || given.size() < 2) return std::nullopt;
  const std::optional<Value> first = parameter_of(context, given.values[0]);
  const std::optional<Value> second = parameter_of(context, given.values[1]);
  if (!first || !second) return single_exit(context, Value::unknown());
  return meet(context, *first, *second, given.sources[1]);
}

std::optional<Exits> distribution_method(CallContext& context, std::string_view name,
                                         const Given& given) {
  constexpr std::string_view kYielding[] = {"entropy", "perplexity", "rsample", "sample",
                                            "sample_n"};
  constexpr std::string_view kAsking[] = {"cdf", "icdf", "log_prob"};
  if (given.size() == 0 || !distribution(context, given.values[0])) return std::nullopt;
  if (name == "expand") return single_exit(context, given.values[0]);
  const std::optional<Value> parameter = parameter_of(context, given.values[0]);
  if (!parameter) return single_exit(context, Value::unknown());
  if (is_one_of(name, kYielding) || is_one_of(name, kAsking))
    meet_parameters(context, given.values[0]);
  if (is_one_of(name, kYielding)) return single_exit(context, like(context, *parameter));
  const bool asks = is_one_of(name, kAsking) && given.size() > 1;
  if (!asks || !context.state.read(given.values[1]).is_tensor())
    return single_exit(context,
                       is_one_of(name, kAsking) ? like(context, *parameter) : Value::unknown());
  return meet(context, *parameter, given.values[1], given.sources[1]);
}

std::optional<Value> distribution_attribute(CallContext& context, const Value& value,
                                            std::string_view name) {
  constexpr std::string_view kTensors[] = {"concentration", "loc",   "logits", "mean",    "mode",
                                           "probs",         "scale", "stddev", "variance"};
  if (!distribution(context, value)) return std::nullopt;
  const std::optional<Value> parameter = parameter_of(context, value);
  if (name == "base_dist") return value;
  return parameter && is_one_of(name, kTensors) ? like(context, *parameter) : Value::unknown();
}

}  // namespace placecheck::dataflow
