// The workspace is allocated before the device is selected.
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

__global__ void reduce_kernel(const float* x, float* partial, float* out) {
  partial[threadIdx.x] = x[threadIdx.x];
  out[threadIdx.x] = partial[threadIdx.x];
}

at::Tensor reduce(const at::Tensor& x) {
  auto workspace = c10::cuda::CUDACachingAllocator::get()->allocate(32 * sizeof(float));  // expect: missing-device-guard
  const at::cuda::CUDAGuard device_guard(x.device());
  at::Tensor out = at::empty_like(x);
  cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  reduce_kernel<<<1, 32, 0, stream>>>(x.data_ptr<float>(), static_cast<float*>(workspace.get()),
                                      out.data_ptr<float>());
  return out;
}

at::Tensor reduce_raw(const at::Tensor& x) {
  void* workspace = c10::cuda::CUDACachingAllocator::raw_alloc(32 * sizeof(float));  // expect: missing-device-guard
  const at::cuda::CUDAGuard device_guard(x.device());
  at::Tensor out = at::empty_like(x);
  cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  reduce_kernel<<<1, 32, 0, stream>>>(x.data_ptr<float>(), static_cast<float*>(workspace),
                                      out.data_ptr<float>());
  c10::cuda::CUDACachingAllocator::raw_delete(workspace);
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("reduce", &reduce);
  m.def("reduce_raw", &reduce_raw);
}
