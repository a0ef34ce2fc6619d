// The guard is there on one path only, or only in one of two operators that share a launch.
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

__global__ void step_kernel(float* values) { values[threadIdx.x] += 1.0f; }

void launch_step(at::Tensor& values) {
  step_kernel<<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>(values.data_ptr<float>());  // expect: missing-device-guard
}

void step(at::Tensor values) {
  const at::cuda::OptionalCUDAGuard device_guard(device_of(values));
  launch_step(values);
}

void step_twice(at::Tensor values) {
  launch_step(values);
  launch_step(values);
}

void step_or_clear(at::Tensor values, bool clear) {
  if (clear) {
    at::cuda::CUDAGuard guard(values.device());
    cudaMemsetAsync(values.data_ptr<float>(), 0, values.nbytes(),
                    at::cuda::getCurrentCUDAStream());
  } else {
    step_kernel<<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>(values.data_ptr<float>());  // expect: missing-device-guard
  }
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("step", &step);
  m.def("step_twice", &step_twice);
  m.def("step_or_clear", &step_or_clear);
}
