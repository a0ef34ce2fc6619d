// In place of a header that CPU builds of libtorch lack, or that needs the CUDA toolkit: makes a
// device current until the guard ends. A guard belongs to one thread.
#ifndef PLACECHECK_RUNTIME_TORCH_INCLUDE_C10_CUDA_CUDAGUARD_H_
#define PLACECHECK_RUNTIME_TORCH_INCLUDE_C10_CUDA_CUDAGUARD_H_

#if !defined(PLACECHECK_NO_CUDA_TOOLKIT) && __has_include(<cuda_runtime_api.h>)
#include_next <c10/cuda/CUDAGuard.h>
#else

#include <c10/core/DeviceGuard.h>
#include <c10/core/StreamGuard.h>
#if __has_include(<cuda_runtime_api.h>)
#include <c10/cuda/CUDAStream.h>
#endif

namespace c10::cuda {

// NOLINTBEGIN(readability-identifier-naming): the names are libtorch's.

struct CUDAGuard {
  explicit CUDAGuard(DeviceIndex index) : guard_(Device(kCUDA, index)) {}
  // Throws for the device of another kind.
  explicit CUDAGuard(Device device) : guard_(checked(device)) {}
  CUDAGuard(const CUDAGuard&) = delete;
  CUDAGuard& operator=(const CUDAGuard&) = delete;

  void set_device(Device device) { guard_.set_index(checked(device).index()); }
  void reset_device(Device device) { guard_.reset_device(checked(device)); }
  void set_index(DeviceIndex index) { guard_.set_index(index); }
  Device original_device() const { return guard_.original_device(); }
  Device current_device() const { return guard_.current_device(); }

 private:
  friend struct OptionalCUDAGuard;

  static Device checked(Device device) {
    TORCH_CHECK(device.is_cuda(), "Expected a CUDA device, but got ", device);
    return device;
  }

  DeviceGuard guard_;
};

struct OptionalCUDAGuard {
  OptionalCUDAGuard() = default;
  explicit OptionalCUDAGuard(c10::optional<Device> device) : guard_(device) {}
  OptionalCUDAGuard(const OptionalCUDAGuard&) = delete;
  OptionalCUDAGuard& operator=(const OptionalCUDAGuard&) = delete;

  void set_device(Device device) { guard_.reset_device(CUDAGuard::checked(device)); }
  void reset_device(Device device) { set_device(device); }
  void set_index(DeviceIndex index) { set_device(Device(kCUDA, index)); }
  c10::optional<Device> original_device() const { return guard_.original_device(); }
  c10::optional<Device> current_device() const { return guard_.current_device(); }

 private:
  OptionalDeviceGuard guard_;
};

// Makes a stream and its device current.
struct CUDAStreamGuard {
  explicit CUDAStreamGuard(Stream stream) : guard_(stream) {}
  CUDAStreamGuard(const CUDAStreamGuard&) = delete;
  CUDAStreamGuard& operator=(const CUDAStreamGuard&) = delete;

  Device original_device() const { return guard_.original_device(); }
  Device current_device() const { return guard_.current_device(); }

 private:
  StreamGuard guard_;
};

// NOLINTEND(readability-identifier-naming)

}  // namespace c10::cuda

namespace at::cuda {
using namespace c10::cuda;
}  // namespace at::cuda

#endif
#endif  // PLACECHECK_RUNTIME_TORCH_INCLUDE_C10_CUDA_CUDAGUARD_H_
