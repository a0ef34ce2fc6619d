// Work in the stream that PyTorch works in, or on nothing of a caller's.
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <cublas_v2.h>
#include <torch/extension.h>

__global__ void step_kernel(float* values) { values[threadIdx.x] += 1.0f; }

void launch_step(float* values, cudaStream_t stream) { step_kernel<<<1, 32, 0, stream>>>(values); }

void step(at::Tensor values) {
  const at::cuda::OptionalCUDAGuard device_guard(device_of(values));
  launch_step(values.data_ptr<float>(), at::cuda::getCurrentCUDAStream());
}

void scale(at::Tensor values, double by) {
  const at::cuda::OptionalCUDAGuard device_guard(device_of(values));
  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasSetStream(handle, at::cuda::getCurrentCUDAStream());
  const float factor = static_cast<float>(by);
  cublasSscal(handle, 32, &factor, values.data_ptr<float>(), 1);
  cublasDestroy(handle);
}

void scale_by_the_library(at::Tensor values, double by) {
  const at::cuda::OptionalCUDAGuard device_guard(device_of(values));
  const float factor = static_cast<float>(by);
  cublasSscal(at::cuda::getCurrentCUDABlasHandle(), 32, &factor, values.data_ptr<float>(), 1);
}

void warm_up() {
  float* scratch = nullptr;
  cudaMalloc(&scratch, 32 * sizeof(float));
  step_kernel<<<1, 32>>>(scratch);
  cudaFree(scratch);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("step", &step);
  m.def("scale", &scale);
  m.def("scale_by_the_library", &scale_by_the_library);
  m.def("warm_up", &warm_up);
}
