// Functions of the CUDA runtime as values: a wrapper calls what it is handed.
#include <cuda_runtime.h>

#include <stdexcept>

template <typename Function, typename... Arguments>
void checked(const char* what, Function function, Arguments... arguments) {
  if (function(arguments...) != cudaSuccess) throw std::runtime_error(what);  // expect: invalid-device
}

int main() {
  int count = 0;
  checked("count", cudaGetDeviceCount, &count);
  for (int device = 0; device <= count; ++device) {
    checked("select", cudaSetDevice, device);
    checked("wait", cudaDeviceSynchronize);
  }
}
