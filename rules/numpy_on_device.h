// numpy-on-device: a tensor of a GPU is given to numpy, which reads the memory of the host.
// Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_NUMPY_ON_DEVICE_H_
#define PLACECHECK_RULES_NUMPY_ON_DEVICE_H_

#include <string>
#include <string_view>

#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::numpy_on_device {

inline constexpr Rule kRule{
    .id = "numpy-on-device",
    .summary = "a tensor that is on a GPU is converted to a numpy array",
    .category = Category::kPlacement,
    .severity = Severity::kError,
    .languages = {.cpp = false, .cuda = false, .python = true},
    .witnesses = {.analyzer = true, .runtime = false},
    .predicted_error =
        "can't convert {} device type tensor to numpy. Use Tensor.cpu() to copy the tensor to "
        "host memory first.",
};

constexpr Verdict judge(DeviceFact tensor) {
  if (tensor.is_cpu()) return Verdict::kHolds;
  return tensor.is_accelerator() ? Verdict::kBroken : Verdict::kUnknown;
}

inline std::string message(std::string_view device) {
  return "can't convert " + std::string(device) +
         " device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.";
}

}  // namespace placecheck::rules::numpy_on_device

#endif  // PLACECHECK_RULES_NUMPY_ON_DEVICE_H_
