// Work on a caller's tensors in the default stream: a kernel, a copy, a routine of cuBLAS.
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <cublas_v2.h>
#include <torch/extension.h>

__global__ void step_kernel(float* values) { values[threadIdx.x] += 1.0f; }

void step(at::Tensor values) {
  const at::cuda::OptionalCUDAGuard device_guard(device_of(values));
  step_kernel<<<1, 32>>>(values.data_ptr<float>());  // expect: default-stream-launch
}

void step_in_null(at::Tensor values) {
  const at::cuda::OptionalCUDAGuard device_guard(device_of(values));
  cudaStream_t stream = nullptr;
  step_kernel<<<1, 32, 0, stream>>>(values.data_ptr<float>());  // expect: default-stream-launch
}

void clear(at::Tensor values) {
  const at::cuda::OptionalCUDAGuard device_guard(device_of(values));
  cudaMemsetAsync(values.data_ptr(), 0, values.nbytes());  // expect: default-stream-launch
}

void scale(at::Tensor values, double by) {
  const at::cuda::OptionalCUDAGuard device_guard(device_of(values));
  cublasHandle_t handle;
  cublasCreate(&handle);
  const float factor = static_cast<float>(by);
  cublasSscal(handle, 32, &factor, values.data_ptr<float>(), 1);  // expect: default-stream-launch
  cublasDestroy(handle);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("step", &step);
  m.def("step_in_null", &step_in_null);
  m.def("clear", &clear);
  m.def("scale", &scale);
}
