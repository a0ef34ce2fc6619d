#include "runtime/torch/virtual_cuda/device_guard.h"

#include <chrono>

#include "runtime/torch/virtual_cuda/capture.h"
#include "runtime/torch/virtual_cuda/devices.h"
#include "runtime/torch/virtual_cuda/release.h"

namespace placecheck::virtual_cuda {
namespace {

using Clock = std::chrono::steady_clock;

// A moment of one device.
struct Event {
  c10::DeviceIndex device;
  Clock::time_point time;
};

class DeviceGuard final : public c10::impl::DeviceGuardImplInterface {
 public:
  c10::DeviceType type() const override { return c10::kCUDA; }

  c10::Device exchangeDevice(c10::Device device) const override {
    const c10::Device previous = getDevice();
    if (device.index() != previous.index()) setDevice(device);
    return previous;
  }
  c10::Device getDevice() const override { return {c10::kCUDA, current_device()}; }
  void setDevice(c10::Device device) const override { set_current_device(device.index()); }
  void uncheckedSetDevice(c10::Device device) const noexcept override {
    set_current_device_unchecked(device.index());
  }
  c10::DeviceIndex deviceCount() const noexcept override { return device_count(); }

  c10::Stream getStream(c10::Device device) const noexcept override {
    return current_stream(device);
  }
  c10::Stream getDefaultStream(c10::Device device) const override {
    return c10::Stream(c10::Stream::DEFAULT, device);
  }
  c10::Stream getStreamFromGlobalPool(c10::Device device, bool is_high_priority) const override {
    return stream_from_pool(device, is_high_priority ? -1 : 0);
  }
  c10::Stream exchangeStream(c10::Stream stream) const noexcept override {
    return exchange_stream(stream);
  }

#if PLACECHECK_TORCH_AT_LEAST(2, 6)
  c10::Stream getNewStream(c10::Device device, int priority) const override {
    return stream_from_pool(device, priority);
  }
#endif

  // Work is done when it is asked for: there is nothing to wait for.
  void record(void** event, const c10::Stream& stream, const c10::DeviceIndex index,
              const c10::EventFlag /*flag*/) const override;
  void block(void* /*event*/, const c10::Stream& /*stream*/) const override {}
  bool queryEvent(void* /*event*/) const override { return true; }
  void destroyEvent(void* event, const c10::DeviceIndex /*index*/) const noexcept override {
    delete static_cast<Event*>(event);
  }
  bool queryStream(const c10::Stream& /*stream*/) const override { return true; }
  // Of newer releases. Streams are names: the thread captures, whichever is current.
  bool isStreamCapturing(const c10::Stream& /*stream*/) const { return is_capturing; }
  void synchronizeStream(const c10::Stream& /*stream*/) const override { synchronize(); }
#if PLACECHECK_TORCH_AT_LEAST(2, 6)
  void synchronizeEvent(void* /*event*/) const override { synchronize(); }
  double elapsedTime(void* start, void* end, const c10::DeviceIndex index) const override;
  void synchronizeDevice(const c10::DeviceIndex /*index*/) const override { synchronize(); }
#endif
};

void DeviceGuard::record(void** event, const c10::Stream& stream, const c10::DeviceIndex index,
                         const c10::EventFlag /*flag*/) const {
  TORCH_CHECK(index == -1 || index == stream.device_index(), "Event device index ",
              static_cast<int>(index), " does not match recording stream's device index ",
              static_cast<int>(stream.device_index()), ".");
  if (*event == nullptr) *event = new Event{.device = stream.device_index(), .time = {}};
  auto& recorded = *static_cast<Event*>(*event);
  TORCH_CHECK(recorded.device == stream.device_index(), "Event device ",
              static_cast<int>(recorded.device), " does not match recording stream's device ",
              static_cast<int>(stream.device_index()), ".");
  recorded.time = Clock::now();
}

#if PLACECHECK_TORCH_AT_LEAST(2, 6)
double DeviceGuard::elapsedTime(void* start, void* end, const c10::DeviceIndex /*index*/) const {
  TORCH_CHECK(start != nullptr && end != nullptr,
              "Both events must be recorded before calculating elapsed time.");
  const auto& from = *static_cast<const Event*>(start);
  const auto& to = *static_cast<const Event*>(end);
  TORCH_CHECK(from.device == to.device, "Events of different devices have no time between them");
  return std::chrono::duration<double, std::milli>(to.time - from.time).count();
}
#endif

}  // namespace

const c10::impl::DeviceGuardImplInterface& device_guard() {
  static const auto* kGuard = new DeviceGuard;
  return *kGuard;
}

}  // namespace placecheck::virtual_cuda
