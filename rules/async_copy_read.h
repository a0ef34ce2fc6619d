// async-copy-read: the host reads memory into which a copy from a device, which nothing has waited
// for, may still write. Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_ASYNC_COPY_READ_H_
#define PLACECHECK_RULES_ASYNC_COPY_READ_H_

#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::async_copy_read {

inline constexpr Rule kRule{
    .id = "async-copy-read",
    .summary = "the host reads the result of an asynchronous copy before anything waited for it",
    .category = Category::kPlacement,
    .severity = Severity::kWarning,
    .languages = {.cpp = true, .cuda = true, .python = true},
    .witnesses = {.analyzer = true, .runtime = false},
    .predicted_error = "",
};

// The copy was given to a stream that the host does not wait for, and since then the host has, or
// has not, waited.
constexpr Verdict judge(Trait is_asynchronous, Trait has_waited) {
  if (is_asynchronous == Trait::kNo || has_waited == Trait::kYes) return Verdict::kHolds;
  bool is_known = is_asynchronous == Trait::kYes && has_waited == Trait::kNo;
  return is_known ? Verdict::kBroken : Verdict::kUnknown;
}

}  // namespace placecheck::rules::async_copy_read

#endif  // PLACECHECK_RULES_ASYNC_COPY_READ_H_
