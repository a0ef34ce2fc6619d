// Operators of the dispatcher: only what PyTorch generates has guards of its own.
#include <ATen/ATen.h>
#include <ATen/cuda/CUDAContext.h>
#include <torch/library.h>

__global__ void fill_kernel(float* values, float value) { values[threadIdx.x] = value; }

at::Tensor ones(const at::Tensor& like) {
  at::Tensor result = at::empty_like(like);
  fill_kernel<<<1, 64, 0, at::cuda::getCurrentCUDAStream()>>>(  // expect: missing-device-guard
      result.data_ptr<float>(), 1.0f);
  return result;
}

void clear(at::Tensor& values) {
  at::Tensor flat = values.view({-1});
  fill_kernel<<<1, 64, 0, at::cuda::getCurrentCUDAStream()>>>(  // expect: missing-device-guard
      flat.data_ptr<float>(), 0.0f);
}

TORCH_LIBRARY(examples, m) {
  m.def("ones(Tensor like) -> Tensor");
  m.def("clear(Tensor(a!) values) -> ()", &clear);
}

TORCH_LIBRARY_IMPL(examples, CUDA, m) { m.impl("ones", TORCH_FN(ones)); }
