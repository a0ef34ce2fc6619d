// collective-in-branch: a collective that some ranks reach and others do not. Constants and pure
// functions; any thread may call them.
#ifndef PLACECHECK_RULES_COLLECTIVE_IN_BRANCH_H_
#define PLACECHECK_RULES_COLLECTIVE_IN_BRANCH_H_

#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::collective_in_branch {

inline constexpr Rule kRule{
    .id = "collective-in-branch",
    .summary = "a collective is called by some of the ranks only, and waits for the others forever",
    .category = Category::kPlacement,
    .severity = Severity::kWarning,
    .languages = {.cpp = true, .cuda = true, .python = true},
    .witnesses = {.analyzer = true, .runtime = false},
    .predicted_error = "",
};

// A branch on the rank: the collective is on one side, and a matching one is on the other, or not.
constexpr Verdict judge(Trait is_on_one_side, Trait is_on_other_side) {
  if (is_on_one_side == Trait::kNo || is_on_other_side == Trait::kYes) return Verdict::kHolds;
  bool is_known = is_on_one_side == Trait::kYes && is_on_other_side == Trait::kNo;
  return is_known ? Verdict::kBroken : Verdict::kUnknown;
}

}  // namespace placecheck::rules::collective_in_branch

#endif  // PLACECHECK_RULES_COLLECTIVE_IN_BRANCH_H_
