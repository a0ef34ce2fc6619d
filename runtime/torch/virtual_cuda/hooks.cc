#include "runtime/torch/virtual_cuda/hooks.h"

#include <torch/version.h>

#include <string>

#include "runtime/torch/virtual_cuda/devices.h"
#include "runtime/torch/virtual_cuda/generator.h"
#include "runtime/torch/virtual_cuda/memory.h"

namespace placecheck::virtual_cuda {
namespace {

// Releases differ in names and types of the questions, not in the answers.
#if TORCH_VERSION_MAJOR >= 2
using Index = at::DeviceIndex;
using Address = const void*;
#else
using Index = std::int64_t;
using Address = void*;
#endif

void check_devices() { TORCH_CHECK(device_count() > 0, "No CUDA GPUs are available"); }

class Hooks final : public at::CUDAHooksInterface {
 public:
#if TORCH_VERSION_MAJOR >= 2
  void init() const override { check_devices(); }
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return device_count() > 0; }
  Index deviceCount() const override { return device_count(); }
  Index getCurrentDevice() const override { return virtual_cuda::current_device(); }
  void setCurrentDevice(Index index) const override { set_current_device(index); }
  Index exchangeDevice(Index index) const override {
    const Index previous = virtual_cuda::current_device();
    set_current_device(index);
    return previous;
  }
  Index maybeExchangeDevice(Index index) const override {
    return index < 0 ? virtual_cuda::current_device() : exchangeDevice(index);
  }
  const at::Generator& getDefaultGenerator(Index index) const override {
    return default_generator(index);
  }
  at::Generator getNewGenerator(Index index) const override { return new_generator(index); }
#else
  void initCUDA() const override { check_devices(); }
  const at::Generator& getDefaultCUDAGenerator(at::DeviceIndex index) const override {
    return default_generator(index);
  }
#endif

  bool hasCUDA() const override { return device_count() > 0; }
  bool hasCUDART() const override { return true; }
  // Programs ask this; kernels ask compiledWithCuDNN, and none of theirs are here.
  bool hasCuDNN() const override { return true; }
  bool compiledWithCuDNN() const override { return false; }

  int getNumGPUs() const override { return device_count(); }
  Index current_device() const override { return virtual_cuda::current_device(); }
  bool hasPrimaryContext(Index /*index*/) const override { return true; }
  void deviceSynchronize(Index index) const override {
    resolve(c10::Device(c10::kCUDA, static_cast<c10::DeviceIndex>(index)));
  }

  // The text is that of CUDADevice.h.
  at::Device getDeviceFromPtr(void* data) const override {
    const std::optional<c10::Device> place = registered_place(data);
    TORCH_CHECK(place && place->is_cuda(),
                "The specified pointer resides on host memory and is not registered with any CUDA "
                "device.");
    return *place;
  }
  bool isPinnedPtr(Address data) const override {
    const std::optional<c10::Device> place = registered_place(data);
    return place && place->is_cpu();
  }
  at::Allocator* getPinnedMemoryAllocator() const override { return pinned_allocator(); }
  at::Allocator* getCUDADeviceAllocator() const override { return device_allocator(); }

  std::string showConfig() const override {
    return "  - placecheck: " + std::to_string(device_count()) + " virtual CUDA devices\n";
  }
};

}  // namespace

std::unique_ptr<at::CUDAHooksInterface> make_hooks() { return std::make_unique<Hooks>(); }

}  // namespace placecheck::virtual_cuda
