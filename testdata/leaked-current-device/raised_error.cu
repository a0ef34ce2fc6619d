// The caller's device is current again, but not where a check fails in between.
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <torch/extension.h>

__global__ void step_kernel(float* values) { values[threadIdx.x] += 1.0f; }

void step(at::Tensor values, int64_t capacity) {
  const auto previous = c10::cuda::current_device();
  C10_CUDA_CHECK(cudaSetDevice(values.get_device()));  // expect: leaked-current-device
  const int64_t used = values.gt(0).sum().item<int64_t>();
  TORCH_CHECK(used <= capacity, "too many values");
  step_kernel<<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>(values.data_ptr<float>());
  C10_CUDA_CHECK(cudaSetDevice(previous));
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("step", &step); }
