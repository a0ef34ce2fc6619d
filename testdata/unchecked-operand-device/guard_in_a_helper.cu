// The helper that launches selects the device: to ask for it there is no check.
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

__global__ void add_kernel(const float* from, float* to) { to[threadIdx.x] += from[threadIdx.x]; }

void launch(const at::Tensor& from, const at::Tensor& to) {
  const at::cuda::CUDAGuard guard(from.device());
  cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  add_kernel<<<1, 32, 0, stream>>>(from.data_ptr<float>(), to.data_ptr<float>());  // expect: unchecked-operand-device
}

void add(at::Tensor from, at::Tensor to) {
  TORCH_CHECK(from.is_cuda(), "from must be on a GPU");
  launch(from, to);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("add", &add); }
