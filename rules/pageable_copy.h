// pageable-copy: a copy to a GPU is to be asynchronous, and reads memory that is not pinned.
// Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_PAGEABLE_COPY_H_
#define PLACECHECK_RULES_PAGEABLE_COPY_H_

#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::pageable_copy {

inline constexpr Rule kRule{
    .id = "pageable-copy",
    .summary = "a non_blocking copy to a GPU reads memory that is not pinned, and blocks",
    .category = Category::kPerformance,
    .severity = Severity::kAdvice,
    .languages = {.cpp = true, .cuda = true, .python = true},
    .witnesses = {.analyzer = true, .runtime = false},
    .predicted_error = "",
    .is_asked_for = true,
};

constexpr Verdict judge(Trait is_asynchronous, Trait is_pinned) {
  if (is_asynchronous == Trait::kNo || is_pinned == Trait::kYes) return Verdict::kHolds;
  const bool is_known = is_asynchronous == Trait::kYes && is_pinned == Trait::kNo;
  return is_known ? Verdict::kBroken : Verdict::kUnknown;
}

}  // namespace placecheck::rules::pageable_copy

#endif  // PLACECHECK_RULES_PAGEABLE_COPY_H_
