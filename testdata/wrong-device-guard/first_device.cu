// The first device, wherever the tensor is.
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

__global__ void step_kernel(float* values) { values[threadIdx.x] += 1.0f; }

void step(at::Tensor values) {
  c10::cuda::CUDAGuard guard(0);
  step_kernel<<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>(values.data_ptr<float>());  // expect: wrong-device-guard
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("step", &step); }
