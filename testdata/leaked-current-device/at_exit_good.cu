// What restores the device is called when a scope ends, also by an exception.
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/util/ScopeExit.h>
#include <torch/extension.h>

#include <functional>
#include <memory>
#include <utility>

__global__ void step_kernel(float* values) { values[threadIdx.x] += 1.0f; }

class Finally {
 public:
  explicit Finally(std::function<void()> function) : function_(std::move(function)) {}
  ~Finally() {
    if (function_) function_();
  }
  Finally(const Finally&) = delete;
  Finally& operator=(const Finally&) = delete;

 private:
  std::function<void()> function_;
};

void step(at::Tensor values) {
  TORCH_CHECK(values.dim() == 1, "values must be a vector");
  step_kernel<<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>(values.data_ptr<float>());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

void by_a_class_of_its_own(at::Tensor values) {
  const auto previous = c10::cuda::current_device();
  C10_CUDA_CHECK(cudaSetDevice(values.get_device()));
  const Finally restore([previous] { cudaSetDevice(previous); });
  TORCH_CHECK(values.numel() > 0, "no values");
  step(values);
}

void by_a_library(at::Tensor values) {
  const auto previous = c10::cuda::current_device();
  const auto restore = c10::make_scope_exit([previous] { cudaSetDevice(previous); });
  C10_CUDA_CHECK(cudaSetDevice(values.get_device()));
  TORCH_CHECK(values.numel() > 0, "no values");
  step(values);
}

void by_a_deleter(at::Tensor values) {
  const auto previous = c10::cuda::current_device();
  const std::shared_ptr<void> restore(nullptr, [previous](void*) { cudaSetDevice(previous); });
  C10_CUDA_CHECK(cudaSetDevice(values.get_device()));
  step(values);
}

void by_a_handler(at::Tensor values) {
  const auto previous = c10::cuda::current_device();
  C10_CUDA_CHECK(cudaSetDevice(values.get_device()));
  try {
    TORCH_CHECK(values.numel() > 0, "no values");
  } catch (...) {
    cudaSetDevice(previous);
    throw;
  }
  step_kernel<<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>(values.data_ptr<float>());
  C10_CUDA_CHECK(cudaSetDevice(previous));
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("by_a_class_of_its_own", &by_a_class_of_its_own);
  m.def("by_a_library", &by_a_library);
  m.def("by_a_deleter", &by_a_deleter);
  m.def("by_a_handler", &by_a_handler);
}
