// The devices are compared, or nothing runs on a device of the caller's.
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

__global__ void step_kernel(float* values) { values[threadIdx.x] += 1.0f; }

void compared(at::Tensor values) {
  TORCH_CHECK(values.get_device() == c10::cuda::current_device(), "select the tensor's device");
  step_kernel<<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>(values.data_ptr<float>());
}

// Guarded where the tensor is on a device, which is where there is a launch.
void guarded_where_it_launches(at::Tensor values) {
  at::cuda::OptionalCUDAGuard guard;
  if (values.is_cuda()) guard.set_device(values.device());
  if (values.is_cuda()) {
    step_kernel<<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>(values.data_ptr<float>());
  } else {
    values.add_(1);
  }
}

// libtorch's own operators select the device themselves.
at::Tensor by_operators(at::Tensor values) { return values.mul(2).add_(1); }

// Not registered: who calls it is not known, and may have selected the device.
void of_nobody(at::Tensor values) {
  step_kernel<<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>(values.data_ptr<float>());
}

// Memory of its own, on the device that is current.
void scratch() {
  float* values = nullptr;
  cudaMalloc(&values, 32 * sizeof(float));
  step_kernel<<<1, 32>>>(values);
  cudaFree(values);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("compared", &compared);
  m.def("guarded_where_it_launches", &guarded_where_it_launches);
  m.def("by_operators", &by_operators);
  m.def("scratch", &scratch);
}
