// An operator for Python that launches where it was called.
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

__global__ void scale_kernel(const float* input, float* output, int64_t count, float factor) {
  int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
  if (i < count) output[i] = input[i] * factor;
}

torch::Tensor scale(torch::Tensor input, double factor) {
  TORCH_CHECK(input.is_cuda(), "input must be a CUDA tensor");
  TORCH_CHECK(input.is_contiguous(), "input must be contiguous");
  torch::Tensor output = torch::empty_like(input);
  const int threads = 256;
  const int blocks = static_cast<int>((input.numel() + threads - 1) / threads);
  cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  scale_kernel<<<blocks, threads, 0, stream>>>(  // expect: missing-device-guard
      input.data_ptr<float>(), output.data_ptr<float>(), input.numel(),
      static_cast<float>(factor));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return output;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("scale", &scale, "input times a factor"); }
