// A literal device, which is left current.
#include <torch/extension.h>

int64_t free_memory() {
  size_t available = 0;
  size_t total = 0;
  cudaSetDevice(0);  // expect: leaked-current-device
  cudaMemGetInfo(&available, &total);
  return static_cast<int64_t>(available);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("free_memory", &free_memory); }
