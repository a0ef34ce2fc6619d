// All the ways to select the tensors' device.
#include <ATen/cuda/CUDAContext.h>
#include <c10/core/DeviceGuard.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

__global__ void step_kernel(float* values) { values[threadIdx.x] += 1.0f; }

void launch_step(at::Tensor values) {
  step_kernel<<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>(values.data_ptr<float>());
}

void optional_guard(at::Tensor values) {
  const at::cuda::OptionalCUDAGuard device_guard(device_of(values));
  launch_step(values);
}

void guard_of_a_device(at::Tensor values) {
  c10::cuda::CUDAGuard guard(values.device());
  launch_step(values);
}

void guard_of_a_number(at::Tensor values) {
  at::cuda::CUDAGuard guard(values.get_device());
  launch_step(values);
}

void guard_of_an_index(at::Tensor values) {
  at::cuda::CUDAGuard guard{static_cast<c10::DeviceIndex>(values.device().index())};
  launch_step(values);
}

void guard_of_any_kind(at::Tensor values) {
  c10::DeviceGuard guard(values.device());
  launch_step(values);
}

void guard_set_later(at::Tensor values) {
  at::cuda::OptionalCUDAGuard guard;
  guard.set_device(values.device());
  launch_step(values);
}

void selected_and_restored(at::Tensor values) {
  int previous = 0;
  cudaGetDevice(&previous);
  cudaSetDevice(values.get_device());
  launch_step(values);
  cudaSetDevice(previous);
}

void guard_in_the_helper(const at::Tensor& values) {
  at::Tensor copy = values.contiguous();
  optional_guard(copy);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("optional_guard", &optional_guard);
  m.def("guard_of_a_device", &guard_of_a_device);
  m.def("guard_of_a_number", &guard_of_a_number);
  m.def("guard_of_an_index", &guard_of_an_index);
  m.def("guard_of_any_kind", &guard_of_any_kind);
  m.def("guard_set_later", &guard_set_later);
  m.def("selected_and_restored", &selected_and_restored);
  m.def("guard_in_the_helper", &guard_in_the_helper);
}
