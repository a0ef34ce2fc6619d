// The guard's scope ends before the launch.
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

__global__ void step_kernel(float* values) { values[threadIdx.x] += 1.0f; }

void in_a_block(at::Tensor values) {
  {
    at::cuda::CUDAGuard guard(values.device());
    cudaMemsetAsync(values.data_ptr<float>(), 0, values.nbytes(),
                    at::cuda::getCurrentCUDAStream());
  }
  step_kernel<<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>(values.data_ptr<float>());  // expect: wrong-device-guard
}

cudaStream_t stream_of(const at::Tensor& values) {
  at::cuda::CUDAGuard guard(values.device());
  return at::cuda::getCurrentCUDAStream();
}

void in_a_helper(at::Tensor values) {
  cudaStream_t stream = stream_of(values);
  step_kernel<<<1, 32, 0, stream>>>(values.data_ptr<float>());  // expect: wrong-device-guard
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("in_a_block", &in_a_block);
  m.def("in_a_helper", &in_a_helper);
}
