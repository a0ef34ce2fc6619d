// In place of a header that CPU builds of libtorch lack, or that needs the CUDA toolkit: the
// current device and how many there are, of whoever serves CUDA in the process. Thread-safe; the
// current device is each thread's own. Errors: c10::Error, as those of a CUDA build.
#ifndef PLACECHECK_RUNTIME_TORCH_INCLUDE_C10_CUDA_CUDAFUNCTIONS_H_
#define PLACECHECK_RUNTIME_TORCH_INCLUDE_C10_CUDA_CUDAFUNCTIONS_H_

#if !defined(PLACECHECK_NO_CUDA_TOOLKIT) && __has_include(<cuda_runtime_api.h>)
#include_next <c10/cuda/CUDAFunctions.h>
#else

#include <c10/core/Device.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/util/Exception.h>

namespace c10::cuda {

// NOLINTBEGIN(readability-identifier-naming): the names are libtorch's.

inline DeviceIndex device_count() noexcept {
  return impl::hasDeviceGuardImpl(kCUDA) ? impl::getDeviceGuardImpl(kCUDA)->deviceCount() : 0;
}

inline DeviceIndex device_count_ensure_non_zero() {
  const DeviceIndex count = device_count();
  TORCH_CHECK(count > 0, "No CUDA GPUs are available");
  return count;
}

inline DeviceIndex current_device() { return impl::getDeviceGuardImpl(kCUDA)->getDevice().index(); }

inline void set_device(DeviceIndex index) {
  impl::getDeviceGuardImpl(kCUDA)->setDevice(Device(kCUDA, index));
}

inline DeviceIndex ExchangeDevice(DeviceIndex index) {
  return impl::getDeviceGuardImpl(kCUDA)->exchangeDevice(Device(kCUDA, index)).index();
}

// Nothing for a negative index.
inline DeviceIndex MaybeExchangeDevice(DeviceIndex index) {
  return index < 0 ? current_device() : ExchangeDevice(index);
}

inline void MaybeSetDevice(DeviceIndex index) {
  if (index >= 0) set_device(index);
}

// NOLINTEND(readability-identifier-naming)

}  // namespace c10::cuda

#endif
#endif  // PLACECHECK_RUNTIME_TORCH_INCLUDE_C10_CUDA_CUDAFUNCTIONS_H_
