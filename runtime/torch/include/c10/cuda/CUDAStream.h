// In place of a header that CPU builds of libtorch lack, or that needs the CUDA toolkit: streams of
// the devices that serve CUDA in the process. Thread-safe; the current streams are each thread's
// own. Errors: c10::Error for a device that there is not.
#ifndef PLACECHECK_RUNTIME_TORCH_INCLUDE_C10_CUDA_CUDASTREAM_H_
#define PLACECHECK_RUNTIME_TORCH_INCLUDE_C10_CUDA_CUDASTREAM_H_

#if !defined(PLACECHECK_NO_CUDA_TOOLKIT) && __has_include(<cuda_runtime_api.h>)
#include_next <c10/cuda/CUDAStream.h>
#else

#include <c10/core/DeviceGuard.h>
#include <c10/core/Stream.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <cuda_runtime_api.h>

#include <map>
#include <mutex>
#include <utility>

namespace c10::cuda {

// NOLINTBEGIN(readability-identifier-naming): the names are libtorch's.

class CUDAStream {
 public:
  explicit CUDAStream(Stream stream) : stream_(stream) {
    TORCH_CHECK(stream.device().is_cuda(), "Expected a CUDA stream, but got one of ",
                stream.device());
  }

  bool operator==(const CUDAStream& other) const { return stream_ == other.stream_; }
  bool operator!=(const CUDAStream& other) const { return stream_ != other.stream_; }
  operator cudaStream_t() const { return stream(); }
  operator Stream() const { return stream_; }

  DeviceIndex device_index() const { return stream_.device_index(); }
  Device device() const { return stream_.device(); }
  StreamId id() const { return stream_.id(); }
  Stream unwrap() const { return stream_; }
  bool query() const { return true; }
  void synchronize() const {}

  // What the CUDA runtime calls it; the default stream has no handle.
  cudaStream_t stream() const {
    if (stream_.id() == 0) return nullptr;
    static auto* const mutex = new std::mutex;
    static auto* const handles = new std::map<std::pair<DeviceIndex, StreamId>, cudaStream_t>;
    const std::lock_guard<std::mutex> lock(*mutex);
    cudaStream_t& handle = (*handles)[{device_index(), id()}];
    if (handle == nullptr) {
      const DeviceGuard guard(device());
      C10_CUDA_CHECK(cudaStreamCreate(&handle));
    }
    return handle;
  }

 private:
  Stream stream_;
};

inline Device device_or_current(DeviceIndex index) {
  return {kCUDA, index < 0 ? current_device() : index};
}

// Of the current device where no index is given.
inline CUDAStream getCurrentCUDAStream(DeviceIndex index = -1) {
  return CUDAStream(impl::getDeviceGuardImpl(kCUDA)->getStream(device_or_current(index)));
}
inline CUDAStream getDefaultCUDAStream(DeviceIndex index = -1) {
  return CUDAStream(impl::getDeviceGuardImpl(kCUDA)->getDefaultStream(device_or_current(index)));
}
inline CUDAStream getStreamFromPool(bool is_high_priority = false, DeviceIndex index = -1) {
  return CUDAStream(impl::getDeviceGuardImpl(kCUDA)->getStreamFromGlobalPool(
      device_or_current(index), is_high_priority));
}
inline void setCurrentCUDAStream(CUDAStream stream) {
  impl::getDeviceGuardImpl(kCUDA)->exchangeStream(stream.unwrap());
}

// NOLINTEND(readability-identifier-naming)

}  // namespace c10::cuda

namespace at::cuda {
using namespace c10::cuda;
}  // namespace at::cuda

#endif
#endif  // PLACECHECK_RUNTIME_TORCH_INCLUDE_C10_CUDA_CUDASTREAM_H_
