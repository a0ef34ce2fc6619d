// leaked-current-device: a function that other code calls returns with another device current than
// it was called with. Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_LEAKED_CURRENT_DEVICE_H_
#define PLACECHECK_RULES_LEAKED_CURRENT_DEVICE_H_

#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::leaked_current_device {

inline constexpr Rule kRule{
    .id = "leaked-current-device",
    .summary = "an exported function selects a device and returns without restoring the caller's",
    .category = Category::kPlacement,
    .severity = Severity::kWarning,
    .languages = {.cpp = true, .cuda = true},
    .witnesses = {.analyzer = true, .runtime = false},
    .predicted_error = "",
};

// Before the run: what is current at the return was selected in the function.
constexpr Verdict judge(Trait is_selected) {
  if (is_selected == Trait::kUnknown) return Verdict::kUnknown;
  return is_selected == Trait::kYes ? Verdict::kBroken : Verdict::kHolds;
}

// At run time: the current device at the call, and at the return.
constexpr Verdict judge(DeviceFact before, DeviceFact after) { return same_place(before, after); }

}  // namespace placecheck::rules::leaked_current_device

#endif  // PLACECHECK_RULES_LEAKED_CURRENT_DEVICE_H_
