#include "runtime/torch/virtual_cuda/devices.h"

#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "rules/invalid_device.h"
#include "runtime/core/visible_devices.h"
#include "runtime/torch/virtual_cuda/report.h"
#include "runtime/torch/virtual_cuda/rule_error.h"

namespace placecheck::virtual_cuda {
namespace {

std::int64_t physical_devices() {
  const char* text = std::getenv("PLACECHECK_VIRTUAL_DEVICES");
  if (text == nullptr || *text == '\0') return 2;
  char* end = nullptr;
  const std::int64_t count = std::strtoll(text, &end, 10);
  if (*end != '\0' || count < 0) {
    TORCH_WARN("PLACECHECK_VIRTUAL_DEVICES must be a number, but is '", text, "'; using 2");
    return 2;
  }
  return std::min<std::int64_t>(count, kMostDevices);
}

c10::DeviceIndex count_visible_devices() {
  std::vector<runtime::PhysicalDevice> physical(static_cast<std::size_t>(physical_devices()));
  for (std::size_t i = 0; i < physical.size(); ++i) {
    physical[i] = {"GPU-" + std::to_string(i), 0, static_cast<std::int64_t>(i)};
  }
  return static_cast<c10::DeviceIndex>(runtime::visible_devices(physical,
                                                                std::getenv("CUDA_VISIBLE_DEVICES"),
                                                                std::getenv("CUDA_DEVICE_ORDER"))
                                           .size());
}

thread_local c10::DeviceIndex current = 0;
thread_local std::array<c10::StreamId, kMostDevices> current_streams = {};

c10::DeviceIndex index_of(c10::Device device) {
  return device.has_index() ? device.index() : current;
}

c10::StreamId& stream_id_of(c10::DeviceIndex index) {
  return current_streams[static_cast<unsigned char>(index)];
}

// c10's texts for cudaErrorInvalidDevice, from CUDAException.cpp and CUDAMiscFunctions.cpp.
void check_index(c10::DeviceIndex index) {
  namespace rule = rules::invalid_device;
  TORCH_CHECK(device_count() > 0, "No CUDA GPUs are available");
  if (rule::judge_index(index, device_count()) == rules::Verdict::kHolds) return;
  std::string text =
      rule::index_message() +
      "\nCUDA kernel errors might be asynchronously reported at some other API call, "
      "so the stacktrace below might be incorrect."
      "\nFor debugging consider passing CUDA_LAUNCH_BLOCKING=1.";
  // There is room for a device that is only reported as missing.
  if (index < 0 || index >= kMostDevices) throw RuleError(rule::kRule, std::move(text));
  fail(rule::kRule, std::move(text));
}

}  // namespace

c10::DeviceIndex device_count() noexcept {
  static const c10::DeviceIndex kCount = count_visible_devices();
  return kCount;
}

c10::DeviceIndex current_device() noexcept { return current; }

void set_current_device(c10::DeviceIndex index) {
  check_index(index);
  current = index;
}

void set_current_device_unchecked(c10::DeviceIndex index) noexcept { current = index; }

c10::Device resolve(c10::Device device) {
  const c10::DeviceIndex index = device.has_index() ? device.index() : current;
  check_index(index);
  return {c10::kCUDA, index};
}

c10::Stream current_stream(c10::Device device) noexcept {
  const c10::DeviceIndex index = index_of(device);
  return c10::Stream(c10::Stream::UNSAFE, c10::Device(c10::kCUDA, index), stream_id_of(index));
}

c10::Stream exchange_stream(c10::Stream stream) noexcept {
  const c10::Stream previous = current_stream(stream.device());
  stream_id_of(stream.device_index()) = stream.id();
  return previous;
}

c10::Stream stream_from_pool(c10::Device device) noexcept {
  // A pool of 32 streams a device, handed out in turn, as CUDAStream.cpp does.
  static std::atomic<c10::StreamId> next{0};
  return c10::Stream(c10::Stream::UNSAFE, c10::Device(c10::kCUDA, index_of(device)),
                     1 + next++ % 32);
}

}  // namespace placecheck::virtual_cuda
