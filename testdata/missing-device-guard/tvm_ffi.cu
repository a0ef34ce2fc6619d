// Functions that are exported through TVM FFI, with tensors of whatever framework calls.
#include <cuda_runtime.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/extra/cuda/device_guard.h>
#include <tvm/ffi/function.h>

using tvm::ffi::TensorView;

#define CHECK_CUDA(x) TVM_FFI_ICHECK_EQ(x.device().device_type, kDLCUDA) << #x " must be on a GPU"
#define CHECK_DEVICE(a, b) TVM_FFI_ICHECK_EQ(a.device().device_id, b.device().device_id)

__global__ void add_kernel(const float* from, float* to) { to[threadIdx.x] += from[threadIdx.x]; }

cudaStream_t stream_of(DLDevice device) {
  return static_cast<cudaStream_t>(TVMFFIEnvGetStream(device.device_type, device.device_id));
}

float* data_of(const TensorView& tensor) { return static_cast<float*>(tensor.data_ptr()); }

void guarded(TensorView from, TensorView to) {
  CHECK_CUDA(from);
  CHECK_DEVICE(from, to);
  tvm::ffi::CUDADeviceGuard guard(from.device().device_id);
  add_kernel<<<1, 32, 0, stream_of(from.device())>>>(data_of(from), data_of(to));
}

void unguarded(TensorView from, TensorView to) {
  CHECK_CUDA(from);
  CHECK_DEVICE(from, to);
  cudaStream_t stream = stream_of(from.device());
  add_kernel<<<1, 32, 0, stream>>>(data_of(from), data_of(to));  // expect: missing-device-guard
}

void unchecked(TensorView from, TensorView to) {
  tvm::ffi::CUDADeviceGuard guard(from.device().device_id);
  cudaStream_t stream = stream_of(from.device());
  add_kernel<<<1, 32, 0, stream>>>(data_of(from), data_of(to));  // expect: unchecked-operand-device
}

void leaks(TensorView to) {
  cudaSetDevice(to.device().device_id);  // expect: leaked-current-device
  add_kernel<<<1, 32, 0, stream_of(to.device())>>>(nullptr, data_of(to));
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(guarded, guarded);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(unguarded, unguarded);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(unchecked, unchecked);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(leaks, leaks);
