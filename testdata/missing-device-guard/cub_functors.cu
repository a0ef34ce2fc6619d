// A routine of CUB with a functor of an older CUB, in the stream of the tensor's device.
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

#include <cub/cub.cuh>

void largest(const at::Tensor& x, at::Tensor& out, cudaStream_t stream) {
  const int count = static_cast<int>(x.numel());
  size_t bytes = 0;
  cub::DeviceReduce::Reduce(nullptr, bytes, x.data_ptr<float>(), out.data_ptr<float>(), count,
                            cub::Max(), 0.0f, stream);
  at::Tensor memory = at::empty({static_cast<int64_t>(bytes)}, x.options().dtype(at::kByte));
  cub::DeviceReduce::Reduce(memory.data_ptr(), bytes, x.data_ptr<float>(), out.data_ptr<float>(),  // expect: missing-device-guard
                            count, cub::Max(), 0.0f, stream);
}

at::Tensor guarded(const at::Tensor& x) {
  const at::cuda::CUDAGuard device_guard(x.device());
  at::Tensor out = at::empty({1}, x.options());
  largest(x, out, at::cuda::getCurrentCUDAStream());
  return out;
}

at::Tensor unguarded(const at::Tensor& x) {
  at::Tensor out = at::empty({1}, x.options());
  largest(x, out, at::cuda::getCurrentCUDAStream(x.get_device()));
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("guarded", &guarded);
  m.def("unguarded", &unguarded);
}
