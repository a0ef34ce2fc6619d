// The last device is one below their number.
#include <cuda_runtime.h>

#include <cstdlib>

int count_of_devices() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) count = 0;
  return count;
}

int last_device() {
  const int count = count_of_devices();
  if (count == 0) std::exit(1);
  return count - 1;
}

int main() {
  cudaSetDevice(last_device());

  int count = 0;
  cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess) count = 1;
  for (int device = 0; device < count; ++device) cudaSetDevice(device);
}
