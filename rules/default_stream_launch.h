// default-stream-launch: an exported function gives work to the default stream instead of PyTorch's
// current one. Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_DEFAULT_STREAM_LAUNCH_H_
#define PLACECHECK_RULES_DEFAULT_STREAM_LAUNCH_H_

#include <string_view>

#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::default_stream_launch {

inline constexpr Rule kRule{
    .id = "default-stream-launch",
    .summary =
        "an exported function gives work to the default stream instead of PyTorch's current one",
    .category = Category::kPlacement,
    .severity = Severity::kAdvice,
    .languages = {.cpp = true, .cuda = true, .python = false},
    .witnesses = {.analyzer = true, .runtime = false},
    .predicted_error = "",
};

// Work on a caller's tensors, and the stream that it is given to.
constexpr Verdict judge(Trait is_callers_tensor, Trait is_default_stream) {
  if (is_callers_tensor == Trait::kNo || is_default_stream == Trait::kNo) return Verdict::kHolds;
  const bool is_known = is_callers_tensor == Trait::kYes && is_default_stream == Trait::kYes;
  return is_known ? Verdict::kBroken : Verdict::kUnknown;
}

}  // namespace placecheck::rules::default_stream_launch

#endif  // PLACECHECK_RULES_DEFAULT_STREAM_LAUNCH_H_
