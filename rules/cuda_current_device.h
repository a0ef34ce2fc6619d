// cuda-current-device: memory, a stream, an event or a handle of one device is used while another
// is current. Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_CUDA_CURRENT_DEVICE_H_
#define PLACECHECK_RULES_CUDA_CURRENT_DEVICE_H_

#include <string>
#include <string_view>

#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::cuda_current_device {

inline constexpr Rule kRule{
    .id = "cuda-current-device",
    .summary =
        "memory, a stream, an event or a handle is used while another device than its own is "
        "current",
    .category = Category::kPlacement,
    .severity = Severity::kError,
    .languages = {.cpp = true, .cuda = true, .python = true},
    .witnesses = {.analyzer = true, .runtime = true},
    .predicted_error = "CUDA error: invalid resource handle",
};

// Memory that code on the current device uses; `shared`: devices may use each other's memory.
constexpr Verdict judge_memory(DeviceFact memory, DeviceFact current, bool shared) {
  if (shared || !memory.is_accelerator()) return Verdict::kUnknown;
  return same_place(memory, current);
}

// A stream, an event or a handle against the device that it is used for.
constexpr Verdict judge_handle(DeviceFact made, DeviceFact needed) {
  return same_place(made, needed);
}

inline std::string memory_message() {
  return "CUDA error: an illegal memory access was encountered";
}

inline std::string handle_message(std::string_view what) {
  return what == "handle" ? "CUBLAS_STATUS_EXECUTION_FAILED"
                          : "CUDA error: invalid resource handle";
}

}  // namespace placecheck::rules::cuda_current_device

#endif  // PLACECHECK_RULES_CUDA_CURRENT_DEVICE_H_
