#include "runtime/torch/virtual_cuda/hooks.h"

#include <optional>
#include <string>

#include "runtime/torch/virtual_cuda/devices.h"
#include "runtime/torch/virtual_cuda/generator.h"
#include "runtime/torch/virtual_cuda/memory.h"
#include "runtime/torch/virtual_cuda/release.h"

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

// Of a CUDA build of today.
constexpr long kCuDnnVersion = 91900;
constexpr long kRuntimeVersion = 13000;

void check_devices() { TORCH_CHECK(device_count() > 0, "No CUDA GPUs are available"); }

class Hooks final : public at::CUDAHooksInterface {
 public:
#if TORCH_VERSION_MAJOR >= 2
  void init() const override { check_devices(); }
#if PLACECHECK_TORCH_AT_LEAST(2, 7)
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return device_count() > 0; }
#endif
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
  long versionCuDNN() const override { return kCuDnnVersion; }
#if PLACECHECK_TORCH_AT_LEAST(2, 9)
  long versionRuntimeCuDNN() const override { return kCuDnnVersion; }
#endif
  long versionCUDART() const override { return kRuntimeVersion; }

  int getNumGPUs() const override { return device_count(); }
  Index current_device() const override { return virtual_cuda::current_device(); }
  bool hasPrimaryContext(Index /*index*/) const override { return true; }
  void deviceSynchronize(Index index) const override {
    resolve(c10::Device(c10::kCUDA, static_cast<c10::DeviceIndex>(index)));
    synchronize();
  }

  // The text is that of CUDADevice.h.
  at::Device getDeviceFromPtr(void* data) const override {
    const std::optional<c10::Device> place = device_of_address(data);
    TORCH_CHECK(place,
                "The specified pointer resides on host memory and is not registered with any CUDA "
                "device.");
    return *place;
  }
  bool isPinnedPtr(Address data) const override { return is_pinned_address(data); }
  at::Allocator* getPinnedMemoryAllocator() const override { return pinned_allocator(); }
  at::Allocator* getCUDADeviceAllocator() const override { return device_allocator(); }

  std::string showConfig() const override {
    return "  - placecheck: " + std::to_string(device_count()) + " virtual CUDA devices\n";
  }
};

}  // namespace

std::unique_ptr<at::CUDAHooksInterface> make_hooks() { return std::make_unique<Hooks>(); }

}  // namespace placecheck::virtual_cuda
