// missing-device-guard: a function that other code calls, with tensors on a device of theirs,
// works on whatever device is current. Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_MISSING_DEVICE_GUARD_H_
#define PLACECHECK_RULES_MISSING_DEVICE_GUARD_H_

#include <string>

#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::missing_device_guard {

inline constexpr Rule kRule{
    .id = "missing-device-guard",
    .summary = "an exported function works on tensors without selecting their device",
    .category = Category::kPlacement,
    .severity = Severity::kWarning,
    .languages = {.cpp = true, .cuda = true},
    .witnesses = {.analyzer = true, .runtime = false},
    .predicted_error = "CUDA error: an illegal memory access was encountered",
};

// Before the run: nothing relates the device of a caller's tensor to the one that the caller left
// current, unless a device was selected since, or the two were compared.
constexpr Verdict judge(Trait is_callers_tensor, Trait is_selected, Trait is_compared) {
  if (is_callers_tensor == Trait::kNo || is_selected == Trait::kYes || is_compared == Trait::kYes)
    return Verdict::kHolds;
  bool is_known =
      is_callers_tensor == Trait::kYes && is_selected == Trait::kNo && is_compared == Trait::kNo;
  return is_known ? Verdict::kBroken : Verdict::kUnknown;
}

// At run time: the operation's memory against the device that is current.
constexpr Verdict judge(DeviceFact memory, DeviceFact current) {
  return memory.is_accelerator() ? same_place(memory, current) : Verdict::kUnknown;
}

inline std::string message() { return std::string(kRule.predicted_error); }

}  // namespace placecheck::rules::missing_device_guard

#endif  // PLACECHECK_RULES_MISSING_DEVICE_GUARD_H_
