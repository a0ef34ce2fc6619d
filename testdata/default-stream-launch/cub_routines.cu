// CUB's routines take their stream last, and the default one where none is given.
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

#include <cub/cub.cuh>

void prefix_sum(at::Tensor from, at::Tensor to) {
  const at::cuda::OptionalCUDAGuard device_guard(device_of(from));
  size_t bytes = 0;
  cub::DeviceScan::InclusiveSum(nullptr, bytes, from.data_ptr<int>(), to.data_ptr<int>(), 32);
  at::Tensor scratch = at::empty({static_cast<int64_t>(bytes)}, from.options().dtype(at::kByte));
  cub::DeviceScan::InclusiveSum(scratch.data_ptr(), bytes, from.data_ptr<int>(),  // expect: default-stream-launch
                                to.data_ptr<int>(), 32);
}

void prefix_sum_in_stream(at::Tensor from, at::Tensor to) {
  const at::cuda::OptionalCUDAGuard device_guard(device_of(from));
  cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  size_t bytes = 0;
  cub::DeviceScan::InclusiveSum(nullptr, bytes, from.data_ptr<int>(), to.data_ptr<int>(), 32, stream);
  at::Tensor scratch = at::empty({static_cast<int64_t>(bytes)}, from.options().dtype(at::kByte));
  cub::DeviceScan::InclusiveSum(scratch.data_ptr(), bytes, from.data_ptr<int>(), to.data_ptr<int>(),
                                32, stream);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("prefix_sum", &prefix_sum);
  m.def("prefix_sum_in_stream", &prefix_sum_in_stream);
}
