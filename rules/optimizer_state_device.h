// optimizer-state-device: an optimizer's state is on another device than the parameters that it
// updates. Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_OPTIMIZER_STATE_DEVICE_H_
#define PLACECHECK_RULES_OPTIMIZER_STATE_DEVICE_H_

#include <string>
#include <string_view>

#include "rules/device_mismatch.h"
#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::optimizer_state_device {

inline constexpr Rule kRule{
    .id = "optimizer-state-device",
    .summary = "an optimizer's state is on another device than the parameters that it updates",
    .category = Category::kPlacement,
    .severity = Severity::kError,
    .languages = {.cpp = true, .cuda = true, .python = true},
    .witnesses = {.analyzer = true, .runtime = false},
    .predicted_error =
        "Expected all tensors to be on the same device, but found at least two devices, {} and {}!",
};

constexpr Verdict judge(DeviceFact state, DeviceFact parameters) {
  return same_place(state, parameters);
}

// Elementwise operations name the accelerator first.
inline std::string message(DeviceFact state, DeviceFact parameters) {
  bool state_first = parameters.is_cpu();
  return device_mismatch::message(run_time_text(state_first ? state : parameters),
                                  run_time_text(state_first ? parameters : state));
}

}  // namespace placecheck::rules::optimizer_state_device

#endif  // PLACECHECK_RULES_OPTIMIZER_STATE_DEVICE_H_
