// generator-device: a random number generator of one kind of device is used for a tensor on
// another. Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_GENERATOR_DEVICE_H_
#define PLACECHECK_RULES_GENERATOR_DEVICE_H_

#include <string>
#include <string_view>

#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::generator_device {

inline constexpr Rule kRule{
    .id = "generator-device",
    .summary = "a random number generator of one kind of device is used for a tensor on another",
    .category = Category::kPlacement,
    .severity = Severity::kError,
    .languages = {.cpp = true, .cuda = true, .python = true},
    .witnesses = {.analyzer = true, .runtime = false},
    .predicted_error = "Expected a '{}' device type for generator but found '{}'",
};

// Only the kinds are compared: a generator of one CUDA device serves tensors of another.
constexpr Verdict judge(DeviceFact generator, DeviceFact tensor) {
  if (!generator.is_known() || !tensor.is_known()) return Verdict::kUnknown;
  return generator.is_cpu() == tensor.is_cpu() ? Verdict::kHolds : Verdict::kBroken;
}

inline std::string message(std::string_view tensor_kind, std::string_view generator_kind) {
  return "Expected a '" + std::string(tensor_kind) + "' device type for generator but found '" +
         std::string(generator_kind) + "'";
}

}  // namespace placecheck::rules::generator_device

#endif  // PLACECHECK_RULES_GENERATOR_DEVICE_H_
