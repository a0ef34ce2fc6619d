// non-leaf-parameter: a tensor to be trained is the result of a transfer, which is no leaf.
// Source of the texts: Optimizer::add_param_group of PyTorch, alike in both languages.
// Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_NON_LEAF_PARAMETER_H_
#define PLACECHECK_RULES_NON_LEAF_PARAMETER_H_

#include <string_view>

#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::non_leaf_parameter {

inline constexpr Rule kRule{
    .id = "non-leaf-parameter",
    .summary = "a tensor to be trained is the result of a transfer, which is no leaf",
    .category = Category::kPlacement,
    .severity = Severity::kError,
    .languages = {.cpp = true, .cuda = true, .python = true},
    .witnesses = {.analyzer = true, .runtime = false},
    .predicted_error = "can't optimize a non-leaf Tensor",
};

inline constexpr std::string_view kNotRegistered =
    "no error: parameters() and state_dict() miss the tensor";

constexpr Verdict judge(Trait is_leaf) {
  if (is_leaf == Trait::kUnknown) return Verdict::kUnknown;
  return is_leaf == Trait::kNo ? Verdict::kBroken : Verdict::kHolds;
}

}  // namespace placecheck::rules::non_leaf_parameter

#endif  // PLACECHECK_RULES_NON_LEAF_PARAMETER_H_
