// The caller's device is current again on every way out.
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

__global__ void step_kernel(float* values) { values[threadIdx.x] += 1.0f; }

void by_hand(at::Tensor values) {
  int previous = 0;
  cudaGetDevice(&previous);
  cudaSetDevice(values.get_device());
  step_kernel<<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>(values.data_ptr<float>());
  cudaSetDevice(previous);
}

void by_functions(at::Tensor values) {
  auto previous = c10::cuda::current_device();
  c10::cuda::set_device(static_cast<c10::DeviceIndex>(values.get_device()));
  step_kernel<<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>(values.data_ptr<float>());
  c10::cuda::set_device(previous);
}

void by_a_guard(at::Tensor values) {
  at::cuda::CUDAGuard guard(values.device());
  if (values.numel() == 0) return;
  step_kernel<<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>(values.data_ptr<float>());
}

void set_within_a_guard(at::Tensor values) {
  at::cuda::OptionalCUDAGuard guard(device_of(values));
  cudaSetDevice(values.get_device());
  step_kernel<<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>(values.data_ptr<float>());
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("by_hand", &by_hand);
  m.def("by_functions", &by_functions);
  m.def("by_a_guard", &by_a_guard);
  m.def("set_within_a_guard", &set_within_a_guard);
}
