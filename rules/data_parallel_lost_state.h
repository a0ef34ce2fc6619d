// data-parallel-lost-state: what replicas write into their own state is lost with them.
// Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_DATA_PARALLEL_LOST_STATE_H_
#define PLACECHECK_RULES_DATA_PARALLEL_LOST_STATE_H_

#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::data_parallel_lost_state {

inline constexpr Rule kRule{
    .id = "data-parallel-lost-state",
    .summary = "a member that a data-parallel forward writes is lost with the replicas",
    .category = Category::kDataParallel,
    .severity = Severity::kAdvice,
    .languages = {.cpp = true, .cuda = true, .python = true},
    .witnesses = {.analyzer = true, .runtime = true},
    .predicted_error = "",
};

struct WriteFact {
  Trait replicated = Trait::kUnknown;  // the forward runs on copies
  Trait written = Trait::kUnknown;     // it writes a member or a buffer
  Trait kept = Trait::kUnknown;        // which is read later: by the next forward, or by others
};

constexpr Verdict judge(WriteFact write) {
  if (write.replicated == Trait::kNo || write.written == Trait::kNo || write.kept == Trait::kNo)
    return Verdict::kHolds;
  const bool certain =
      write.replicated == Trait::kYes && write.written == Trait::kYes && write.kept == Trait::kYes;
  return certain ? Verdict::kBroken : Verdict::kUnknown;
}

}  // namespace placecheck::rules::data_parallel_lost_state

#endif  // PLACECHECK_RULES_DATA_PARALLEL_LOST_STATE_H_
