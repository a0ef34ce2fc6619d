// c10/cuda/CUDAStream.h over the virtual devices' streams, which are names: work is done when it is
// asked for.
#include <c10/cuda/CUDAStream.h>

#include "runtime/torch/standin/release.h"
#include "runtime/torch/virtual_cuda/devices.h"

namespace c10::cuda {
namespace {

namespace virtual_cuda = placecheck::virtual_cuda;

CUDAStream as_cuda(Stream stream) { return CUDAStream(CUDAStream::UNCHECKED, stream); }

Device device_or_current(DeviceIndex index) {
  return virtual_cuda::resolve(Device(kCUDA, index < 0 ? virtual_cuda::current_device() : index));
}

}  // namespace

CUDAStream getStreamFromPool(const bool /*is_high_priority*/, DeviceIndex index) {
  return as_cuda(virtual_cuda::stream_from_pool(device_or_current(index)));
}
CUDAStream getStreamFromPool(const int /*priority*/, DeviceIndex index) {
  return as_cuda(virtual_cuda::stream_from_pool(device_or_current(index)));
}
CUDAStream getStreamFromExternal(cudaStream_t stream, DeviceIndex index) {
  return as_cuda(Stream(Stream::UNSAFE, device_or_current(index),
                        reinterpret_cast<StreamId>(stream)));
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
cudaStream_t CUDAStream::stream() const { return reinterpret_cast<cudaStream_t>(id()); }

}  // namespace c10::cuda
