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

// The parameter that says where a distribution is; nothing where that is not known.
std::optional<Value> parameter_of(CallContext& context, const Value& value) {
  const Object* object = distribution(context, value);
  if (!object || object->elements.empty()) return std::nullopt;
  return object->elements.front();
}

// A tensor with what is certain of the parameter: where it is.
Value like(CallContext& context, const Value& parameter) {
  Value tensor = context.state.decider_of(parameter);
  tensor.rank = Rank::kUnknown;
  tensor.stray = false;
  return tensor;
}

// Of tensors, of distributions made of such, or of numbers alone, which are made tensors.
std::optional<Value> first_parameter(CallContext& context, const Given& given) {
  bool are_numbers = given.size() > 0 && !given.is_open;
  for (const Value& each : given.values) {
    const Value value = context.state.read(each);
    if (value.is_tensor() && is_non_scalar(context.state.decider_of(value).rank)) return value;
    if (std::optional<Value> inner = parameter_of(context, value)) return inner;
    are_numbers &= value.is_scalar() && !value.is(ValueKind::kString);
  }
  for (const Value& each : given.values) {
    const Value value = context.state.read(each);
    if (value.is_tensor()) return value;
  }
  if (!are_numbers) return std::nullopt;
  Value made = Value::tensor(Place::cpu());
  made.origin = context.origin(OriginKind::kCreated);
  return made;
}

Exits meet(CallContext& context, const Value& parameter, const Value& value, size_t source) {
  Given operands;
  operands.add(parameter, {}, Given::kMade);
  operands.add(value, {}, source);
  return call_as(context, operands, "at::sub");
}

}  // namespace

std::optional<Exits> distribution_function(CallContext& context, const std::string& name,
                                           const Given& given) {
  if (!name.starts_with(kPackage)) return std::nullopt;
  if (is_class_name(name)) {
    Object made = context.library_object(name);
    if (std::optional<Value> parameter = first_parameter(context, given))
      made.elements.push_back(*parameter);
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
