// discarded-transfer: a tensor's transfer is not in place, and its result is dropped.
// Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_DISCARDED_TRANSFER_H_
#define PLACECHECK_RULES_DISCARDED_TRANSFER_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "rules/device_mismatch.h"
#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::discarded_transfer {

inline constexpr Rule kRule{
    .id = "discarded-transfer",
    .summary = "the result of a tensor's to(), cuda() or cpu() is dropped, so nothing moves",
    .category = Category::kPlacement,
    .severity = Severity::kWarning,
    .languages = {.cpp = true, .cuda = true, .python = true},
    .witnesses = {.analyzer = true, .runtime = true},
    .predicted_error = device_mismatch::kRule.predicted_error,
};

enum class Receiver : std::uint8_t {
  kUnknown,
  kTensor,  // to() returns another tensor
  kModule,  // to() moves the module itself
};

constexpr Verdict judge(Receiver receiver, Trait result_used) {
  if (receiver == Receiver::kModule || result_used == Trait::kYes) return Verdict::kHolds;
  if (receiver == Receiver::kUnknown || result_used == Trait::kUnknown) return Verdict::kUnknown;
  return Verdict::kBroken;
}

// The error that follows where the tensor, still on its old device, meets one on the new device.
inline std::string message(std::string_view wanted_device, std::string_view actual_device) {
  const bool actual_first = wanted_device == "cpu";  // the accelerator is named first
  return actual_first ? device_mismatch::message(actual_device, wanted_device)
                      : device_mismatch::message(wanted_device, actual_device);
}

}  // namespace placecheck::rules::discarded_transfer

#endif  // PLACECHECK_RULES_DISCARDED_TRANSFER_H_
