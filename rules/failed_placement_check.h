// failed-placement-check: the program itself checks where something lives, and its check fails.
// Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_FAILED_PLACEMENT_CHECK_H_
#define PLACECHECK_RULES_FAILED_PLACEMENT_CHECK_H_

#include <string_view>

#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::failed_placement_check {

inline constexpr Rule kRule{
    .id = "failed-placement-check",
    .summary = "a check of the program itself on where a tensor lives fails",
    .category = Category::kPlacement,
    .severity = Severity::kError,
    .languages = {.cpp = true, .cuda = true, .python = true},
    .witnesses = {.analyzer = true, .runtime = false},
    .predicted_error = "the exception that the program raises",
};

constexpr Verdict judge(Trait holds) {
  if (holds == Trait::kUnknown) return Verdict::kUnknown;
  return holds == Trait::kNo ? Verdict::kBroken : Verdict::kHolds;
}

}  // namespace placecheck::rules::failed_placement_check

#endif  // PLACECHECK_RULES_FAILED_PLACEMENT_CHECK_H_
