// libtorch's stable ABI, which has guards and registrations of its own.
#include <cuda_runtime.h>
#include <torch/csrc/stable/accelerator.h>
#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/ops.h>
#include <torch/csrc/stable/tensor.h>
#include <torch/headeronly/core/ScalarType.h>

using torch::stable::Tensor;

__global__ void scale_kernel(const float* from, float* to) { to[threadIdx.x] = 2 * from[threadIdx.x]; }

cudaStream_t stream_of(const Tensor& x) {
  void* stream = nullptr;
  TORCH_ERROR_CODE_CHECK(aoti_torch_get_current_cuda_stream(x.get_device_index(), &stream));
  return static_cast<cudaStream_t>(stream);
}

Tensor scale(const Tensor& x) {
  STD_TORCH_CHECK(x.is_cuda() && x.scalar_type() == torch::headeronly::ScalarType::Float);
  Tensor out = torch::stable::empty_like(x);
  scale_kernel<<<1, 32, 0, stream_of(x)>>>(  // expect: missing-device-guard
      static_cast<const float*>(x.data_ptr()), static_cast<float*>(out.data_ptr()));
  return out;
}

Tensor scale_guarded(const Tensor& x) {
  torch::stable::accelerator::DeviceGuard device_guard(x.get_device_index());
  Tensor out = torch::stable::new_empty(x, {x.size(0), x.size(1)});
  scale_kernel<<<1, 32, 0, stream_of(x)>>>(x.const_data_ptr<float>(),
                                           out.mutable_data_ptr<float>());
  return out;
}

STABLE_TORCH_LIBRARY(scaling, m) {
  m.def("scale(Tensor x) -> Tensor");
  m.def("scale_guarded(Tensor x) -> Tensor");
}
STABLE_TORCH_LIBRARY_IMPL(scaling, CUDA, m) {
  m.impl("scale", TORCH_BOX(&scale));
  m.impl("scale_guarded", TORCH_BOX(&scale_guarded));
}
