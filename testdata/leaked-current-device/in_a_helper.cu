// A helper selects the device for all operators.
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

__global__ void step_kernel(float* values, float by) { values[threadIdx.x] += by; }

void prepare(const at::Tensor& values) {
  TORCH_CHECK(values.is_cuda(), "values must be a CUDA tensor");
  C10_CUDA_CHECK(cudaSetDevice(values.device().index()));  // expect: leaked-current-device
}

void up(at::Tensor values) {
  prepare(values);
  step_kernel<<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>(values.data_ptr<float>(), 1.0f);
}

void down(at::Tensor values) {
  prepare(values);
  step_kernel<<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>(values.data_ptr<float>(), -1.0f);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("up", &up);
  m.def("down", &down);
}
