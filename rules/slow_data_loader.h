// slow-data-loader: the batches of a data loader are made, or copied to a GPU, while nothing else
// runs. Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_SLOW_DATA_LOADER_H_
#define PLACECHECK_RULES_SLOW_DATA_LOADER_H_

#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::slow_data_loader {

inline constexpr Rule kRule{
    .id = "slow-data-loader",
    .summary = "a data loader without workers or pinned memory feeds a GPU",
    .category = Category::kPerformance,
    .severity = Severity::kAdvice,
    .languages = {.cpp = false, .cuda = false, .python = true},
    .witnesses = {.analyzer = true, .runtime = false},
    .predicted_error = "",
    .is_asked_for = true,
};

// Of a loader whose batches are copied to a GPU.
constexpr Verdict judge(Trait has_workers, Trait pins_memory) {
  if (has_workers == Trait::kNo || pins_memory == Trait::kNo) return Verdict::kBroken;
  const bool is_known = has_workers == Trait::kYes && pins_memory == Trait::kYes;
  return is_known ? Verdict::kHolds : Verdict::kUnknown;
}

}  // namespace placecheck::rules::slow_data_loader

#endif  // PLACECHECK_RULES_SLOW_DATA_LOADER_H_
