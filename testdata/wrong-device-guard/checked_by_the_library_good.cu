// The library's own check has compared the devices, so the guard of either tensor serves both.
#include <ATen/TensorUtils.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

__global__ void copy_kernel(const float* from, float* to) { to[threadIdx.x] = from[threadIdx.x]; }

void copy_last(at::Tensor from, at::Tensor to, at::Tensor like) {
  at::TensorArg from_arg{from, "from", 1}, to_arg{to, "to", 2}, like_arg{like, "like", 3};
  at::checkAllSameGPU("copy_last", {from_arg, to_arg, like_arg});
  const at::cuda::OptionalCUDAGuard device_guard(device_of(like));
  copy_kernel<<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>(from.data_ptr<float>(), to.data_ptr<float>());
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("copy_last", &copy_last); }
