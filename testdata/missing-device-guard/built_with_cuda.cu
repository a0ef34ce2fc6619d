// The build script says whether there is CUDA; only then are the functions registered.
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

#ifdef WITH_CUDA
__global__ void negate_kernel(float* values) { values[threadIdx.x] = -values[threadIdx.x]; }

void negate(at::Tensor values) {
  negate_kernel<<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>(values.data_ptr<float>());  // expect: missing-device-guard
}

void negate_where_it_is(at::Tensor values) {
  c10::cuda::CUDAGuard guard(values.device());
  negate_kernel<<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>(values.data_ptr<float>());
}
#endif

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
#ifdef WITH_CUDA
  pybind11::module_ ops = m.def_submodule("ops");
  ops.def("negate", &negate);
  ops.def("negate_where_it_is", &negate_where_it_is);
#endif
}
