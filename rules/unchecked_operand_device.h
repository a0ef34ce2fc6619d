// unchecked-operand-device: an exported function passes a tensor to a kernel without checking its
// device. Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_UNCHECKED_OPERAND_DEVICE_H_
#define PLACECHECK_RULES_UNCHECKED_OPERAND_DEVICE_H_

#include <string_view>

#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::unchecked_operand_device {

inline constexpr Rule kRule{
    .id = "unchecked-operand-device",
    .summary = "an exported function passes a tensor to a kernel without checking its device",
    .category = Category::kPlacement,
    .severity = Severity::kAdvice,
    .languages = {.cpp = true, .cuda = true, .python = false},
    .witnesses = {.analyzer = true, .runtime = false},
    .predicted_error = "CUDA error: an illegal memory access was encountered",
};

// One of several tensors of a caller's that a kernel is given, and whether anything on the way
// asked where it is.
constexpr Verdict judge(Trait is_callers_tensor, Trait is_checked) {
  if (is_callers_tensor == Trait::kNo || is_checked == Trait::kYes) return Verdict::kHolds;
  const bool is_known = is_callers_tensor == Trait::kYes && is_checked == Trait::kNo;
  return is_known ? Verdict::kBroken : Verdict::kUnknown;
}

}  // namespace placecheck::rules::unchecked_operand_device

#endif  // PLACECHECK_RULES_UNCHECKED_OPERAND_DEVICE_H_
