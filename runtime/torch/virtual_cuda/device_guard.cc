#include "runtime/torch/virtual_cuda/device_guard.h"

#include "runtime/torch/virtual_cuda/devices.h"

namespace placecheck::virtual_cuda {
namespace {

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
  c10::Stream getStreamFromGlobalPool(c10::Device device, bool /*high_priority*/) const override {
    return stream_from_pool(device);
  }
  c10::Stream exchangeStream(c10::Stream stream) const noexcept override {
    return exchange_stream(stream);
  }

  // Work is done when it is asked for: there is nothing to wait for.
  void record(void** event, const c10::Stream& /*stream*/, const c10::DeviceIndex /*index*/,
              const c10::EventFlag /*flag*/) const override {
    *event = const_cast<DeviceGuard*>(this);
  }
  void block(void* /*event*/, const c10::Stream& /*stream*/) const override {}
  bool queryEvent(void* /*event*/) const override { return true; }
  bool queryStream(const c10::Stream& /*stream*/) const override { return true; }
  void synchronizeStream(const c10::Stream& /*stream*/) const override {}
};

}  // namespace

const c10::impl::DeviceGuardImplInterface& device_guard() {
  static const auto* kGuard = new DeviceGuard;
  return *kGuard;
}

}  // namespace placecheck::virtual_cuda
