// Selects the tensor's device for good, and asks for a type that this libtorch may not have.
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAFunctions.h>
#include <torch/extension.h>

__global__ void fill_kernel(float* values) { values[threadIdx.x] = 0.0f; }

void fill(at::Tensor values) {
  TORCH_CHECK(values.scalar_type() != at::ScalarType::Float8_e4m3fn);
  c10::cuda::MaybeSetDevice(values.get_device());  // expect: leaked-current-device
  fill_kernel<<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>(values.mutable_data_ptr<float>());
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("fill", &fill); }
