#include "runtime/torch/virtual_cuda/hooks.h"

#include <string>

#include "runtime/torch/virtual_cuda/devices.h"
#include "runtime/torch/virtual_cuda/generator.h"
#include "runtime/torch/virtual_cuda/memory.h"

namespace placecheck::virtual_cuda {
namespace {

class Hooks final : public at::CUDAHooksInterface {
 public:
  void initCUDA() const override { TORCH_CHECK(device_count() > 0, "No CUDA GPUs are available"); }

  bool hasCUDA() const override { return device_count() > 0; }
  bool hasCUDART() const override { return true; }
  // Programs ask this; kernels ask compiledWithCuDNN, and none of theirs are here.
  bool hasCuDNN() const override { return true; }
  bool compiledWithCuDNN() const override { return false; }

  int getNumGPUs() const override { return device_count(); }
  std::int64_t current_device() const override { return virtual_cuda::current_device(); }
  bool hasPrimaryContext(std::int64_t /*index*/) const override { return true; }
  void deviceSynchronize(std::int64_t index) const override {
    resolve(c10::Device(c10::kCUDA, static_cast<c10::DeviceIndex>(index)));
  }

  const at::Generator& getDefaultCUDAGenerator(at::DeviceIndex index) const override {
    return default_generator(index);
  }

  // The text is that of CUDADevice.h.
  at::Device getDeviceFromPtr(void* data) const override {
    const std::optional<c10::Device> place = registered_place(data);
    TORCH_CHECK(place && place->is_cuda(),
                "The specified pointer resides on host memory and is not registered with any CUDA "
                "device.");
    return *place;
  }
  bool isPinnedPtr(void* data) const override {
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
