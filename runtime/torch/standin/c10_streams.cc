// c10/cuda/CUDAStream.h over the virtual devices' streams, which are names: work is done when it is
// asked for.
#include <c10/core/DeviceGuard.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

#include <map>
#include <mutex>
#include <utility>

#include "runtime/torch/standin/release.h"
#include "runtime/torch/virtual_cuda/devices.h"

namespace c10::cuda {
namespace {

namespace virtual_cuda = placecheck::virtual_cuda;

CUDAStream as_cuda(Stream stream) { return CUDAStream(CUDAStream::UNCHECKED, stream); }

Device device_or_current(DeviceIndex index) {
  return virtual_cuda::resolve(Device(kCUDA, index < 0 ? virtual_cuda::current_device() : index));
}

// What the CUDA runtime calls the streams of PyTorch's pools.
class PoolHandles {
 public:
  cudaStream_t of(DeviceIndex device, StreamId id) {
    std::lock_guard<std::mutex> lock(mutex_);
    cudaStream_t& handle = handles_[{device, id}];
    if (handle == nullptr) {
      const DeviceGuard guard(Device(kCUDA, device));
      C10_CUDA_CHECK(cudaStreamCreateWithPriority(&handle, cudaStreamNonBlocking,
                                                  virtual_cuda::priority_of_stream(id)));
    }
    return handle;
  }

 private:
  std::mutex mutex_;
  std::map<std::pair<DeviceIndex, StreamId>, cudaStream_t> handles_;
};

}  // namespace

CUDAStream getStreamFromPool(const bool is_high_priority, DeviceIndex index) {
  return getStreamFromPool(is_high_priority ? -1 : 0, index);
}
CUDAStream getStreamFromPool(const int priority, DeviceIndex index) {
  return as_cuda(virtual_cuda::stream_from_pool(device_or_current(index), priority));
}
CUDAStream getStreamFromExternal(cudaStream_t stream, DeviceIndex index) {
  return as_cuda(
      Stream(Stream::UNSAFE, device_or_current(index), reinterpret_cast<StreamId>(stream)));
}
CUDAStream getDefaultCUDAStream(DeviceIndex index) {
  return as_cuda(Stream(Stream::DEFAULT, device_or_current(index)));
}
CUDAStream getCurrentCUDAStream(DeviceIndex index) {
  return as_cuda(virtual_cuda::current_stream(device_or_current(index)));
}
void setCurrentCUDAStream(CUDAStream stream) { virtual_cuda::exchange_stream(stream.unwrap()); }

#if PLACECHECK_HAS_STREAM_QUERY
bool CUDAStream::query() const { return true; }
void CUDAStream::synchronize() const {}
#endif
// The CUDA runtime's handle: the default stream has none, an external one is its own.
cudaStream_t CUDAStream::stream() const {
  if (id() == 0) return nullptr;
  if (id() > virtual_cuda::kPoolStreams) return reinterpret_cast<cudaStream_t>(id());
  static auto* handles = new PoolHandles;
  return handles->of(device_index(), id());
}

}  // namespace c10::cuda
