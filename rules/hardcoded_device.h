// hardcoded-device: a forward puts a tensor on a fixed device, where it meets the caller's.
// Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_HARDCODED_DEVICE_H_
#define PLACECHECK_RULES_HARDCODED_DEVICE_H_

#include <string>
#include <string_view>

#include "rules/device_mismatch.h"
#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::hardcoded_device {

inline constexpr Rule kRule{
    .id = "hardcoded-device",
    .summary = "a module's forward puts a tensor on a fixed device, where it meets the caller's",
    .category = Category::kPlacement,
    .severity = Severity::kError,
    .languages = {.cpp = true, .cuda = true, .python = true},
    .witnesses = {.analyzer = true, .runtime = false},
    .predicted_error = device_mismatch::kRule.predicted_error,
};

// `fixed`: the device is written in the forward, or the default one, and does not follow from the
// input or the module.
constexpr Verdict judge(OperandFact made, Trait fixed, OperandFact given,
                        device_mismatch::Mixing mixing) {
  if (fixed == Trait::kNo) return Verdict::kHolds;
  const Verdict together = device_mismatch::judge(made, given, mixing);
  return fixed == Trait::kUnknown && together == Verdict::kBroken ? Verdict::kUnknown : together;
}

inline std::string message(std::string_view given, std::string_view made) {
  const bool given_first = made == "cpu";  // the accelerator is named first
  return given_first ? device_mismatch::message(given, made)
                     : device_mismatch::message(made, given);
}

}  // namespace placecheck::rules::hardcoded_device

#endif  // PLACECHECK_RULES_HARDCODED_DEVICE_H_
