// Two of the tensors are checked, or none is.
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

#define CHECK_CUDA(x) TORCH_CHECK(x.is_cuda(), #x " must be on a GPU")

__global__ void add_kernel(const float* a, const float* b, float* sum) {
  sum[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

void launch_add(at::Tensor a, at::Tensor b, at::Tensor sum) {
  cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  add_kernel<<<1, 32, 0, stream>>>(a.data_ptr<float>(), b.data_ptr<float>(),  // expect: unchecked-operand-device
                                   sum.data_ptr<float>());
}

void add(at::Tensor a, at::Tensor b, at::Tensor sum) {
  CHECK_CUDA(a);
  CHECK_CUDA(sum);
  TORCH_CHECK(b.is_contiguous() && b.dim() == 1);
  const at::cuda::OptionalCUDAGuard device_guard(device_of(a));
  launch_add(a, b, sum);
}

void add_to(at::Tensor a, at::Tensor b) {
  const at::cuda::OptionalCUDAGuard device_guard(device_of(a));
  cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  add_kernel<<<1, 32, 0, stream>>>(a.data_ptr<float>(), b.data_ptr<float>(),  // expect: unchecked-operand-device
                                   b.data_ptr<float>());
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("add", &add);
  m.def("add_to", &add_to);
}
