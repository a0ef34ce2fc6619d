// stale-optimizer: an optimizer was made before a module was replaced, and updates the old
// parameters. Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_STALE_OPTIMIZER_H_
#define PLACECHECK_RULES_STALE_OPTIMIZER_H_

#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::stale_optimizer {

inline constexpr Rule kRule{
    .id = "stale-optimizer",
    .summary = "an optimizer was made before a module was replaced, and updates the old parameters",
    .category = Category::kPlacement,
    .severity = Severity::kWarning,
    .languages = {.cpp = true, .cuda = true, .python = true},
    .witnesses = {.analyzer = true, .runtime = false},
    .predicted_error = "no error: the new module's parameters are not trained",
};

// `is_updated`: whether an optimizer was made for the module that is in place at a step.
constexpr Verdict judge(Trait is_updated) {
  if (is_updated == Trait::kUnknown) return Verdict::kUnknown;
  return is_updated == Trait::kNo ? Verdict::kBroken : Verdict::kHolds;
}

}  // namespace placecheck::rules::stale_optimizer

#endif  // PLACECHECK_RULES_STALE_OPTIMIZER_H_
