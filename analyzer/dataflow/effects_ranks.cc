// How many dimensions results have, as far as it matters: 0-dim tensors may stay on the CPU.
#include <algorithm>
#include <string_view>

#include "analyzer/dataflow/effects.h"

namespace placecheck::dataflow {
namespace {

using models::Operator;
using models::ResultRank;

template <size_t N>
bool is_one_of(std::string_view name, const std::string_view (&names)[N]) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

int highest(const std::vector<Operand>& operands) {
  int dimensions = 0;
  for (const Operand& operand : operands)
    dimensions = std::max(dimensions, min_dimensions(operand.rank));
  return dimensions;
}

Rank elementwise_rank(const std::vector<Operand>& operands) {
  if (int dimensions = highest(operands)) return at_least(dimensions);
  bool all_scalars = !operands.empty() &&
                     std::all_of(operands.begin(), operands.end(),
                                 [](const Operand& each) { return each.rank == Rank::kScalar; });
  return all_scalars ? Rank::kScalar : Rank::kUnknown;
}

// "conv2d", "MaxPool1d": one dimension more, for the channels.
int dimensions_in(std::string_view name) {
  static constexpr std::string_view kKinds[] = {"conv", "Conv", "pool", "Pool", "BatchNorm"};
  bool is_spatial = std::any_of(std::begin(kKinds), std::end(kKinds), [&](std::string_view kind) {
    return name.find(kind) != std::string_view::npos;
  });
  if (!is_spatial) return 0;
  size_t at = name.find_first_of("123");
  bool counts = at != std::string_view::npos && at + 1 < name.size() && name[at + 1] == 'd';
  return counts ? name[at] - '0' + 1 : 0;
}

Rank product_rank(const Operator& op, const std::vector<Operand>& operands) {
  static constexpr std::string_view kProducts[] = {"matmul", "mm", "bmm", "addmm", "baddbmm"};
  static constexpr std::string_view kJoining[] = {"cat", "concat"};
  int first = operands.empty() ? 0 : min_dimensions(operands[0].rank);
  if (op.name == "stack" || op.name == "unsqueeze") return at_least(first + 1);
  if (op.name == "linear") return at_least(std::max(first, 1));
  if (is_one_of(op.name, kJoining)) return at_least(std::max(highest(operands), 1));
  bool all_matrices = std::all_of(operands.begin(), operands.end(), [](const Operand& each) {
    return min_dimensions(each.rank) > 1;
  });
  if (is_one_of(op.name, kProducts) && all_matrices) return at_least(highest(operands));
  if (op.name == "matmul") return at_least(highest(operands) - 1);  // of vectors: 0-dim
  return at_least(std::max(dimensions_in(op.name), 1));
}

bool names_one_dimension(CallContext& context) {
  Value dim = context.read(1);
  const Object* list = context.state.object_of(dim);
  bool is_single_list =
      list && list->kind == ObjectKind::kContainer && !list->open && list->elements.size() == 1;
  return dim.is(ValueKind::kInt) || is_single_list;
}

bool is_loss(std::string_view operation) {
  return operation.find("loss") != std::string_view::npos ||
         operation.find("cross_entropy") != std::string_view::npos || operation == "kl_div";
}

// 0-dim, unless something says that nothing is reduced.
Rank loss_rank(CallContext& context) {
  for (size_t i = 0; i < context.count(); ++i) {
    Value value = context.read(i);
    if (value.is_tensor() || value.is(ValueKind::kNone)) continue;
    const Object* options = context.state.object_of(value);
    bool reduces = options ? !options->find(context.name("reduction"))
                           : value.is(ValueKind::kInt) && value.number != 0;
    if (!reduces) return Rank::kUnknown;
  }
  return Rank::kScalar;
}

// 0-dim, unless only some dimensions are reduced, or something else than a tensor says how.
Rank reduced_rank(CallContext& context, const Operator& op, const std::vector<Operand>& operands) {
  if (is_loss(op.name)) return loss_rank(context);
  if (operands.size() > 1) return elementwise_rank(operands);
  if (!operands.empty() && context.count() > 1 && names_one_dimension(context)) {
    bool keeps =
        context.count() > 2 && context.read(2).is(ValueKind::kBool) && context.read(2).number != 0;
    Rank self = operands[0].rank;
    return keeps ? self : at_least(min_dimensions(self) - 1);
  }
  for (size_t i = 0; i < context.count(); ++i) {
    Value value = context.read(i);
    bool says_how =
        !value.is_tensor() && !value.is(ValueKind::kOptions) && !value.is(ValueKind::kNone);
    if (says_how) return Rank::kUnknown;
  }
  return Rank::kScalar;
}

// Slices leave their dimension, None adds one, numbers take theirs away.
Rank listed_rank(CallContext& context, const Object& list, Rank self) {
  int left = 0, added = 0, taken = 0;
  bool leaves_others = !list.open;
  for (const Value& element : list.elements) {
    Value index = context.state.read(element);
    const Object* object = context.state.object_of(index);
    bool is_slice = object && context.activation.names().text(object->type_name).ends_with("Slice");
    left += is_slice;
    added += index.is(ValueKind::kNone);
    taken += index.is_scalar();
    leaves_others &= is_slice || index.is(ValueKind::kNone) || index.is_scalar();
  }
  int others = leaves_others ? std::max(min_dimensions(self) - left - taken, 0) : 0;
  return at_least(left + added + others);
}

// An index that is a number takes a dimension away.
Rank indexed_rank(CallContext& context, Rank self) {
  Value index = context.count() > 1 ? context.read(1) : Value::unknown();
  bool is_number = index.is_scalar() || context.call().name.ends_with("::select");
  if (is_number) return at_least(min_dimensions(self) - 1);
  const Object* list = context.state.object_of(index);
  bool is_list = list && list->kind == ObjectKind::kContainer;
  return is_list ? listed_rank(context, *list, self) : Rank::kUnknown;
}

Rank other_rank(CallContext& context, const Operator& op, const std::vector<Operand>& operands) {
  static constexpr std::string_view kPieces[] = {"chunk", "split", "tensor_split",
                                                 "split_with_sizes"};
  Rank self = operands.empty() ? Rank::kUnknown : operands[0].rank;
  if (op.name == "squeeze") {
    bool names_dimension = context.count() > 1;
    if (self == Rank::kBatch) return self;
    return names_dimension ? at_least(min_dimensions(self) - 1) : Rank::kUnknown;
  }
  if (op.name == "meshgrid") return at_least(static_cast<int>(operands.size()));
  if (op.name == "expand_as" || op.name == "tile") return at_least(min_dimensions(self));
  if (op.name == "unbind") return at_least(min_dimensions(self) - 1);
  if (op.name == "index" || op.name == "select") return indexed_rank(context, self);
  return is_one_of(op.name, kPieces) ? self : Rank::kUnknown;
}

}  // namespace

Rank rank_of_sizes(CallContext& context, const Value& sizes) {
  const Object* list = context.state.object_of(sizes);
  if (!list || list->open || !is_list(*list)) return Rank::kNonScalar;
  if (list->elements.empty()) return Rank::kScalar;
  // A single example, which is not divided among devices; the other dimensions matter less.
  const Value first = context.state.read(list->elements[0]);
  if (first.is(ValueKind::kInt) && first.number == 1) return Rank::kNonScalar;
  if (list->elements.size() == 1 && first.is(ValueKind::kInt) && first.number > 1)
    return Rank::kBatch;
  return at_least(static_cast<int>(list->elements.size()));
}

Rank result_rank(CallContext& context, const Operator& op, const std::vector<Operand>& operands) {
  switch (op.result_rank) {
    case ResultRank::kScalar:
      return Rank::kScalar;
    case ResultRank::kNonScalar:
    case ResultRank::kProduct:
      return product_rank(op, operands);
    case ResultRank::kSameAsSelf:
      return operands.empty() ? Rank::kUnknown : operands[0].rank;
    case ResultRank::kFromSizes:
      return context.count() > 1 ? rank_of_sizes(context, context.read(1)) : Rank::kUnknown;
    case ResultRank::kReduction:
      return reduced_rank(context, op, operands);
    case ResultRank::kElementwise:
      return elementwise_rank(operands);
    default:
      return other_rank(context, op, operands);
  }
}

Rank layer_rank(std::string_view layer, const std::vector<Operand>& operands) {
  static constexpr std::string_view kReducing[] = {"CosineSimilarity", "PairwiseDistance"};
  int input = 0;
  for (const Operand& operand : operands) {
    if (!operand.is_module_state) input = std::max(input, min_dimensions(operand.rank));
  }
  if (is_one_of(layer, kReducing)) return at_least(input - 1);
  if (layer == "Flatten") return Rank::kNonScalar;
  bool adds_dimension = layer == "Embedding";
  return at_least(std::max({input + adds_dimension, dimensions_in(layer), 1}));
}

}  // namespace placecheck::dataflow
