// Dispatch over the types of half precision, as libtorch 2 has it.
#include <ATen/Dispatch.h>
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

template <class T>
__global__ void negate_kernel(T* values) {
  values[threadIdx.x] = -values[threadIdx.x];
}

void negate(at::Tensor values) {
  cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  AT_DISPATCH_REDUCED_FLOATING_TYPES(values.scalar_type(), "negate", [&] {
    negate_kernel<<<1, 32, 0, stream>>>(values.data_ptr<scalar_t>());  // expect: missing-device-guard
  });
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("negate", &negate); }
