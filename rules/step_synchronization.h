// step-synchronization: the host waits for the GPU in every step of a training loop.
// Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_STEP_SYNCHRONIZATION_H_
#define PLACECHECK_RULES_STEP_SYNCHRONIZATION_H_

#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::step_synchronization {

inline constexpr Rule kRule{
    .id = "step-synchronization",
    .summary = "the host waits for the GPU in every training step",
    .category = Category::kPerformance,
    .severity = Severity::kAdvice,
    .languages = {.cpp = true, .cuda = true, .python = true},
    .witnesses = {.analyzer = true, .runtime = false},
    .predicted_error = "",
    .is_asked_for = true,
};

// The host reads what a tensor of a GPU holds, and does so in each iteration of a loop that trains.
constexpr Verdict judge(Trait is_in_every_step) {
  if (is_in_every_step == Trait::kUnknown) return Verdict::kUnknown;
  return is_in_every_step == Trait::kYes ? Verdict::kBroken : Verdict::kHolds;
}

}  // namespace placecheck::rules::step_synchronization

#endif  // PLACECHECK_RULES_STEP_SYNCHRONIZATION_H_
