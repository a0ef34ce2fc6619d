// What is made for a device on first use selects it: from the second call on nothing does.
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

#include <unordered_map>

__global__ void step_kernel(float* values) { values[threadIdx.x] += 1.0f; }

std::unordered_map<int, cudaStream_t> streams;

cudaStream_t stream_of(int device) {
  auto known = streams.find(device);
  if (known != streams.end()) return known->second;
  cudaSetDevice(device);  // expect: leaked-current-device
  cudaStream_t made = nullptr;
  cudaStreamCreate(&made);
  streams.emplace(device, made);
  return made;
}

void step(at::Tensor values) {
  cudaStream_t stream = stream_of(values.get_device());
  step_kernel<<<1, 32, 0, stream>>>(values.data_ptr<float>());  // expect: missing-device-guard
}

void step_under_guard(at::Tensor values) {
  const at::cuda::OptionalCUDAGuard device_guard(device_of(values));
  cudaStream_t stream = stream_of(values.get_device());
  step_kernel<<<1, 32, 0, stream>>>(values.data_ptr<float>());
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("step", &step);
  m.def("step_under_guard", &step_under_guard);
}
