// The functions of c10/cuda/CUDAFunctions.h that PyTorch's Python bindings call. They are declared
// here with the parameters of every supported release, so that one source serves all of them.
#include <c10/core/Device.h>
#include <c10/util/Exception.h>
#include <cuda_runtime_api.h>

#include <mutex>
#include <string>

#include "runtime/torch/virtual_cuda/devices.h"

namespace c10::cuda {

DeviceIndex device_count() noexcept { return placecheck::virtual_cuda::device_count(); }

DeviceIndex device_count_ensure_non_zero() {
  const DeviceIndex count = device_count();
  TORCH_CHECK(count > 0, "No CUDA GPUs are available");
  return count;
}

DeviceIndex current_device() { return placecheck::virtual_cuda::current_device(); }

void set_device(DeviceIndex index, const bool /*force*/) {
  placecheck::virtual_cuda::set_current_device(index);
}
void set_device(DeviceIndex index) { set_device(index, false); }

cudaError_t GetDevice(DeviceIndex* index) {
  *index = current_device();
  return cudaSuccess;
}

cudaError_t SetDevice(DeviceIndex index, const bool /*force*/) {
  if (index < 0 || index >= device_count()) return cudaErrorInvalidDevice;
  placecheck::virtual_cuda::set_current_device(index);
  return cudaSuccess;
}
cudaError_t SetDevice(DeviceIndex index) { return SetDevice(index, false); }
cudaError_t MaybeSetDevice(DeviceIndex index) { return SetDevice(index, false); }

DeviceIndex ExchangeDevice(DeviceIndex index) {
  const DeviceIndex previous = current_device();
  set_device(index, false);
  return previous;
}
DeviceIndex MaybeExchangeDevice(DeviceIndex index) { return ExchangeDevice(index); }

bool hasPrimaryContext(DeviceIndex /*index*/) { return true; }

void device_synchronize() { placecheck::virtual_cuda::synchronize(); }
void warn_or_error_on_sync() {}

std::mutex* getFreeMutex() {
  static auto* mutex = new std::mutex;
  return mutex;
}

}  // namespace c10::cuda
