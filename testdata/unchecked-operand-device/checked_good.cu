// The ways to check where tensors are.
#include <ATen/TensorUtils.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

#include <vector>

#define CHECK_CUDA(x) TORCH_CHECK(x.is_cuda(), #x " must be on a GPU")

__global__ void copy_kernel(const float* from, float* to) { to[threadIdx.x] = from[threadIdx.x]; }

void launch_copy(at::Tensor from, at::Tensor to) {
  const at::cuda::OptionalCUDAGuard device_guard(device_of(from));
  cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  copy_kernel<<<1, 32, 0, stream>>>(from.data_ptr<float>(), to.data_ptr<float>());
}

void each_is_checked(at::Tensor from, at::Tensor to) {
  CHECK_CUDA(from);
  CHECK_CUDA(to);
  launch_copy(from, to);
}

void they_are_compared(at::Tensor from, at::Tensor to) {
  TORCH_CHECK(from.device() == to.device(), "one device for both");
  launch_copy(from, to);
}

void compared_by_the_library(at::Tensor from, at::Tensor to) {
  at::TensorArg from_arg{from, "from", 1}, to_arg{to, "to", 2};
  at::checkAllSameGPU("copy", {from_arg, to_arg});
  launch_copy(from, to);
}

void check_all(const std::vector<at::Tensor>& tensors) {
  for (const at::Tensor& each : tensors) CHECK_CUDA(each);
}

void checked_in_a_list(at::Tensor from, at::Tensor to) {
  check_all({from, to});
  launch_copy(from, to);
}

bool is_on_gpu(const at::Tensor& tensor) { return tensor.device().type() == at::kCUDA; }

void checked_by_a_helper(at::Tensor from, at::Tensor to) {
  TORCH_CHECK(is_on_gpu(from) && is_on_gpu(to));
  launch_copy(from, to);
}

void made_here(at::Tensor from) {
  at::Tensor to = at::empty_like(from);
  launch_copy(from, to);
}

void moved_here(at::Tensor from, at::Tensor to) {
  at::Tensor there = to.to(from.device());
  launch_copy(from, there);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("each_is_checked", &each_is_checked);
  m.def("they_are_compared", &they_are_compared);
  m.def("compared_by_the_library", &compared_by_the_library);
  m.def("checked_in_a_list", &checked_in_a_list);
  m.def("checked_by_a_helper", &checked_by_a_helper);
  m.def("made_here", &made_here);
  m.def("moved_here", &moved_here);
}
