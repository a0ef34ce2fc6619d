// A guard for one of the tensors that are worked on; and for what was compared with them.
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

__global__ void copy_kernel(const float* from, float* to) { to[threadIdx.x] = from[threadIdx.x]; }

void by_the_first(at::Tensor from, at::Tensor to) {
  TORCH_CHECK(from.is_cuda() && to.is_cuda(), "all tensors must be on a GPU");
  const at::cuda::OptionalCUDAGuard device_guard(device_of(from));
  copy_kernel<<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>(from.data_ptr<float>(),
                                                              to.data_ptr<float>());
}

void by_one_that_was_compared(at::Tensor from, at::Tensor to, at::Tensor lengths) {
  TORCH_CHECK(lengths.device() == from.device(), "all tensors must be on one device");
  const at::cuda::OptionalCUDAGuard device_guard(device_of(lengths));
  copy_kernel<<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>(from.data_ptr<float>(),
                                                              to.data_ptr<float>());
}

at::Tensor of_its_options(at::Tensor from) {
  at::Tensor result = at::empty({32}, from.options());
  at::cuda::CUDAGuard guard(from.device());
  copy_kernel<<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>(
      from.contiguous().data_ptr<float>(), result.data_ptr<float>());
  return result;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("by_the_first", &by_the_first);
  m.def("by_one_that_was_compared", &by_one_that_was_compared);
  m.def("of_its_options", &of_its_options);
}
