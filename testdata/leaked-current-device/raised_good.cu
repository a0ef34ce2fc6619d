// What is checked between the two is CUDA itself, or is checked before, or undone on the way out.
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

#include <stdexcept>

__global__ void step_kernel(float* values) { values[threadIdx.x] += 1.0f; }

void checks_before(at::Tensor values, int64_t capacity) {
  TORCH_CHECK(values.numel() <= capacity, "too many values");
  const auto previous = c10::cuda::current_device();
  C10_CUDA_CHECK(cudaSetDevice(values.get_device()));
  step_kernel<<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>(values.data_ptr<float>());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  const cudaError_t status = cudaGetLastError();
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
  C10_CUDA_CHECK(cudaSetDevice(previous));
}

void restores_and_raises(at::Tensor values, int64_t capacity) {
  const auto previous = c10::cuda::current_device();
  C10_CUDA_CHECK(cudaSetDevice(values.get_device()));
  if (values.gt(0).sum().item<int64_t>() > capacity) {
    C10_CUDA_CHECK(cudaSetDevice(previous));
    TORCH_CHECK(false, "too many values");
  }
  step_kernel<<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>(values.data_ptr<float>());
  C10_CUDA_CHECK(cudaSetDevice(previous));
}

void within_a_guard(at::Tensor values, int64_t capacity) {
  const at::cuda::OptionalCUDAGuard guard(device_of(values));
  C10_CUDA_CHECK(cudaSetDevice(values.get_device()));
  TORCH_CHECK(values.gt(0).sum().item<int64_t>() <= capacity, "too many values");
  step_kernel<<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>(values.data_ptr<float>());
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("checks_before", &checks_before);
  m.def("restores_and_raises", &restores_and_raises);
  m.def("within_a_guard", &within_a_guard);
}
