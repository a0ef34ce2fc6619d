// wrong-device-guard: a device was selected, but not that of the tensors that are worked on.
// Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_WRONG_DEVICE_GUARD_H_
#define PLACECHECK_RULES_WRONG_DEVICE_GUARD_H_

#include <string>

#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::wrong_device_guard {

inline constexpr Rule kRule{
    .id = "wrong-device-guard",
    .summary = "a guard selects another device than that of the tensors, or ends too early",
    .category = Category::kPlacement,
    .severity = Severity::kWarning,
    .languages = {.cpp = true, .cuda = true, .python = true},
    .witnesses = {.analyzer = true, .runtime = false},
    .predicted_error = "CUDA error: an illegal memory access was encountered",
};

// What a guard without a name leads to.
inline constexpr std::string_view kOnCurrentDevice =
    "no error here: what follows runs on the current device";

// Before the run: a device was selected by something that is none of the operands, and was not
// compared with them.
constexpr Verdict judge(Trait is_by_operand, Trait is_compared) {
  if (is_by_operand == Trait::kYes || is_compared == Trait::kYes) return Verdict::kHolds;
  bool is_known = is_by_operand == Trait::kNo && is_compared == Trait::kNo;
  return is_known ? Verdict::kBroken : Verdict::kUnknown;
}

// At run time: the operation's memory against the device that is current.
constexpr Verdict judge(DeviceFact memory, DeviceFact current) {
  return memory.is_accelerator() ? same_place(memory, current) : Verdict::kUnknown;
}

inline std::string message() { return std::string(kRule.predicted_error); }

}  // namespace placecheck::rules::wrong_device_guard

#endif  // PLACECHECK_RULES_WRONG_DEVICE_GUARD_H_
