// The functions of einops: views and reductions of a tensor, or of a list of them.
#include "analyzer/dataflow/dynamic.h"

namespace placecheck::dataflow {
namespace {

// In another shape, where the tensor is.
Value reshaped(CallContext& context, const Value& given) {
  Value tensor = context.state.decider_of(given);
  if (!tensor.is_tensor()) return Value::unknown();
  if (!is_non_scalar(tensor.rank)) tensor.rank = Rank::kUnknown;
  return tensor;
}

// `rearrange(list, pattern)` stacks the tensors of a list first.
Exits reshape(CallContext& context, const Given& given) {
  if (!is_list(context, given.values[0])) return one(context, reshaped(context, given.values[0]));
  Given tensors;
  tensors.add(given.values[0], {}, given.sources[0]);
  return call_as(context, tensors, "at::stack");
}

// `einsum(a, b, pattern)`
Exits sum(CallContext& context, const Given& given) {
  const size_t last = given.size() - 1;
  Given arguments;
  arguments.add(given.values[last], {}, given.sources[last]);
  for (size_t i = 0; i < last; ++i) arguments.add(given.values[i], {}, given.sources[i]);
  return call_as(context, arguments, "at::einsum");
}

// `pack(tensors, pattern)` yields one tensor, and the shapes that `unpack` takes it apart by.
Exits pack(CallContext& context, const Given& given) {
  Given tensors;
  tensors.add(given.values[0], {}, given.sources[0]);
  Exits exits = call_as(context, tensors, "at::cat");
  for (Exit& exit : exits) {
    CallContext after{context.activation, exit.state, context.instruction, context.arguments};
    exit.value = make_list(after, {exit.value, Value::unknown()}, ObjectKind::kTuple);
  }
  return exits;
}

Value unpacked(CallContext& context, const Given& given) {
  Value parts = make_list(context, {}, ObjectKind::kContainer);
  Object& list = context.state.edit(parts.object);
  list.open = true;
  list.rest = reshaped(context, given.values[0]);
  return parts;
}

}  // namespace

std::optional<Exits> einops_function(CallContext& context, std::string_view name,
                                     const Given& given) {
  if (!name.starts_with("einops.") || given.size() == 0) return std::nullopt;
  const std::string_view function = last_part(name);
  if (function == "rearrange" || function == "reduce" || function == "repeat")
    return reshape(context, given);
  if (function == "einsum") return sum(context, given);
  if (function == "pack") return pack(context, given);
  if (function == "unpack") return one(context, unpacked(context, given));
  return std::nullopt;
}

}  // namespace placecheck::dataflow
