// The device of the tensor is exchanged for the caller's, which nobody restores.
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAFunctions.h>
#include <torch/extension.h>

__global__ void scale_kernel(float* values, int64_t count) {
  int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
  if (i < count) values[i] *= 2;
}

void scale_(torch::Tensor values) {
  c10::cuda::ExchangeDevice(values.get_device());  // expect: leaked-current-device
  scale_kernel<<<values.numel() / 256 + 1, 256, 0, at::cuda::getCurrentCUDAStream()>>>(
      values.data_ptr<float>(), values.numel());
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("scale_", &scale_); }
