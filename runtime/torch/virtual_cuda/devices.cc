#include "runtime/torch/virtual_cuda/devices.h"

#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <string>

#include "rules/invalid_device.h"
#include "runtime/devices/machine.h"
#include "runtime/torch/virtual_cuda/cuda_error.h"
#include "runtime/torch/virtual_cuda/pending_work.h"
#include "runtime/torch/virtual_cuda/report.h"

namespace placecheck::virtual_cuda {
namespace {

thread_local std::array<c10::StreamId, kMostDevices> current_streams = {};

c10::DeviceIndex index_of(c10::Device device) {
  return device.has_index() ? device.index() : current_device();
}

c10::StreamId& stream_id_of(c10::DeviceIndex index) {
  return current_streams[static_cast<unsigned char>(index)];
}

void check_index(c10::DeviceIndex index) {
  namespace rule = rules::invalid_device;
  TORCH_CHECK(device_count() > 0, "No CUDA GPUs are available");
  if (rule::judge_index(index, device_count()) == rules::Verdict::kHolds) return;
  // There is room for a device that is only reported as missing.
  if (index < 0 || index >= kMostDevices) {
    throw_cuda_error(kInvalidDevice, rule::kRule, cuda_error_text(rule::index_message()));
  }
  fail(kInvalidDevice, rule::kRule, rule::index_message());
}

}  // namespace

c10::DeviceIndex device_count() noexcept {
  static const auto kCount = static_cast<c10::DeviceIndex>(devices::machine().device_count());
  return kCount;
}

c10::DeviceIndex current_device() noexcept {
  return static_cast<c10::DeviceIndex>(devices::machine().current_device());
}

void set_current_device(c10::DeviceIndex index) {
  check_index(index);
  set_current_device_unchecked(index);
}

void set_current_device_unchecked(c10::DeviceIndex index) noexcept {
  devices::machine().current_device() = index;
}

c10::Device resolve(c10::Device device) {
  const c10::DeviceIndex index = index_of(device);
  check_index(index);
  return {c10::kCUDA, index};
}

void synchronize() {
  finish_pending_work();
  const int code = devices::machine().sticky_error();
  if (code == 0) [[likely]] {
    return;
  }
  const std::string name = code == kIllegalAddress ? "an illegal memory access was encountered"
                                                   : "code " + std::to_string(code);
  throw_cuda_error(code, cuda_error_text("CUDA error: " + name));
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

c10::Stream stream_from_pool(c10::Device device, int priority) noexcept {
  // Handed out in turn, as CUDAStream.cpp does; a priority that there is not is the nearest one.
  static std::array<std::atomic<c10::StreamId>, kStreamPriorities> next{};
  const int level = std::clamp(-priority, 0, kStreamPriorities - 1);
  const c10::StreamId number = next[static_cast<std::size_t>(level)]++ % kStreamsOfPriority;
  return c10::Stream(c10::Stream::UNSAFE, c10::Device(c10::kCUDA, index_of(device)),
                     1 + level * kStreamsOfPriority + number);
}

int priority_of_stream(c10::StreamId stream) noexcept {
  const bool is_from_pool = stream > 0 && stream <= kPoolStreams;
  return is_from_pool ? -static_cast<int>((stream - 1) / kStreamsOfPriority) : 0;
}

}  // namespace placecheck::virtual_cuda
