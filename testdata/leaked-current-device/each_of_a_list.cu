// The last device of a list stays current.
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <torch/extension.h>

#include <vector>

void enable_access(const std::vector<int64_t>& devices) {
  for (int64_t from : devices) {
    C10_CUDA_CHECK(cudaSetDevice(static_cast<int>(from)));  // expect: leaked-current-device
    for (int64_t to : devices) {
      if (from != to) cudaDeviceEnablePeerAccess(static_cast<int>(to), 0);
    }
  }
}

void enable_and_return(const std::vector<int64_t>& devices) {
  const int before = c10::cuda::current_device();
  for (int64_t from : devices) {
    C10_CUDA_CHECK(cudaSetDevice(static_cast<int>(from)));
    for (int64_t to : devices) {
      if (from != to) cudaDeviceEnablePeerAccess(static_cast<int>(to), 0);
    }
  }
  C10_CUDA_CHECK(cudaSetDevice(before));
}

void select_device(int64_t device) { C10_CUDA_CHECK(cudaSetDevice(static_cast<int>(device))); }

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("enable_access", &enable_access);
  m.def("enable_and_return", &enable_and_return);
  m.def("select_device", &select_device);
}
