// Without the header's declaration this file is a library by itself, which registers nothing.
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

__global__ void scale_kernel(float* values, float factor) { values[threadIdx.x] *= factor; }

void scale(torch::Tensor values, double factor) {
  scale_kernel<<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>(  // expect: missing-device-guard
      values.data_ptr<float>(), static_cast<float>(factor));
}
