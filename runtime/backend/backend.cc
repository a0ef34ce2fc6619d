#include "runtime/backend/backend.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "rules/invalid_device.h"
#include "rules/visible_devices.h"
#include "runtime/core/check.h"

namespace placecheck::runtime {

std::string cuda_error_text(std::string_view text) {
  std::string message = "CUDA error: " + std::string(text) + "\n";
  const char* blocking = std::getenv("CUDA_LAUNCH_BLOCKING");
  if (blocking == nullptr || std::string_view(blocking) != "1") {
    message +=
        "CUDA kernel errors might be asynchronously reported at some other API call, so the "
        "stacktrace below might be incorrect.\n"
        "For debugging consider passing CUDA_LAUNCH_BLOCKING=1\n";
  }
  return message + "Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.\n";
}

void refuse_device(DeviceIndex device, const std::string& text) {
  namespace visible = rules::visible_devices;
  const char* list = std::getenv("CUDA_VISIBLE_DEVICES");
  bool is_of_list =
      list != nullptr && visible::judge_index(device, list) == rules::Verdict::kBroken;
  throw RuleError(is_of_list ? visible::kRule : rules::invalid_device::kRule, text);
}

void check_ordinal(const Backend& backend, DeviceIndex device) {
  int count = backend.device_count();
  check(count > 0, "No CUDA GPUs are available");
  if (rules::invalid_device::judge_index(device, count) == rules::Verdict::kHolds) return;
  refuse_device(device, cuda_error_text("invalid device ordinal"));
}

std::string memory_text(std::int64_t bytes) {
  constexpr std::int64_t kKiB = 1024;
  char text[64];
  auto size = static_cast<double>(bytes);
  if (bytes < kKiB) {
    std::snprintf(text, sizeof text, "%lld bytes", static_cast<long long>(bytes));
  } else if (bytes < kKiB * kKiB) {
    std::snprintf(text, sizeof text, "%.2f KiB", size / kKiB);
  } else if (bytes < kKiB * kKiB * kKiB) {
    std::snprintf(text, sizeof text, "%.2f MiB", size / (kKiB * kKiB));
  } else {
    std::snprintf(text, sizeof text, "%.2f GiB", size / (kKiB * kKiB * kKiB));
  }
  return text;
}

}  // namespace placecheck::runtime
