// Restored at the end, but not where there is nothing to do.
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

__global__ void step_kernel(float* values) { values[threadIdx.x] += 1.0f; }

void step(at::Tensor values) {
  int previous = 0;
  cudaGetDevice(&previous);
  cudaSetDevice(values.get_device());  // expect: leaked-current-device
  if (values.numel() == 0) return;
  step_kernel<<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>(values.data_ptr<float>());
  cudaSetDevice(previous);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("step", &step); }
