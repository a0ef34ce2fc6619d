// The workspace is allocated where the device is selected.
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

__global__ void reduce_kernel(const float* x, float* partial, float* out) {
  partial[threadIdx.x] = x[threadIdx.x];
  out[threadIdx.x] = partial[threadIdx.x];
}

at::Tensor reduce(const at::Tensor& x) {
  const at::cuda::CUDAGuard device_guard(x.device());
  auto& allocator = *c10::cuda::CUDACachingAllocator::get();
  auto workspace = allocator.allocate(32 * sizeof(float));
  at::Tensor out = at::empty_like(x);
  cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  reduce_kernel<<<1, 32, 0, stream>>>(x.data_ptr<float>(), static_cast<float*>(workspace.get()),
                                      out.data_ptr<float>());
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("reduce", &reduce); }
