// unchecked-launch: the status of a kernel launch is never checked.
// Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_UNCHECKED_LAUNCH_H_
#define PLACECHECK_RULES_UNCHECKED_LAUNCH_H_

#include <string_view>

#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::unchecked_launch {

inline constexpr Rule kRule{
    .id = "unchecked-launch",
    .summary = "the status of a kernel launch is never checked",
    .category = Category::kPlacement,
    .severity = Severity::kAdvice,
    .languages = {.cpp = true, .cuda = true, .python = false},
    .witnesses = {.analyzer = true, .runtime = false},
    .predicted_error = "",
    .is_asked_for = true,
};

// A launch, and whether anything that follows asks for its error.
constexpr Verdict judge(Trait is_checked) {
  if (is_checked == Trait::kUnknown) return Verdict::kUnknown;
  return is_checked == Trait::kNo ? Verdict::kBroken : Verdict::kHolds;
}

}  // namespace placecheck::rules::unchecked_launch

#endif  // PLACECHECK_RULES_UNCHECKED_LAUNCH_H_
