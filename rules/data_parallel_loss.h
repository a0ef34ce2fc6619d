// data-parallel-loss: the loss of a data-parallel module has an entry for each replica, and is used
// as one number. Source of the texts: PyTorch's autograd and Tensor.item.
// Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_DATA_PARALLEL_LOSS_H_
#define PLACECHECK_RULES_DATA_PARALLEL_LOSS_H_

#include <string_view>

#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::data_parallel_loss {

inline constexpr Rule kRule{
    .id = "data-parallel-loss",
    .summary =
        "the loss of a data-parallel module has an entry for each replica, and is used as one",
    .category = Category::kPlacement,
    .severity = Severity::kError,
    .languages = {.cpp = false, .cuda = false, .python = true},
    .witnesses = {.analyzer = true, .runtime = false},
    .predicted_error = "grad can be implicitly created only for scalar outputs",
};

// Tensor.item() of two replicas' results.
inline constexpr std::string_view kNotOneElement =
    "a Tensor with 2 elements cannot be converted to Scalar";

constexpr Verdict judge(Trait is_reduced) {
  if (is_reduced == Trait::kUnknown) return Verdict::kUnknown;
  return is_reduced == Trait::kNo ? Verdict::kBroken : Verdict::kHolds;
}

}  // namespace placecheck::rules::data_parallel_loss

#endif  // PLACECHECK_RULES_DATA_PARALLEL_LOSS_H_
