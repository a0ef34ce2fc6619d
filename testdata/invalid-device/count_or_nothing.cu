// The number of devices, and none where it cannot be asked for, is no index of one.
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
  return count;
}

int main() {
  cudaSetDevice(last_device());  // expect: invalid-device

  int count = 0;
  cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess) count = 0;
  cudaSetDevice(count);  // expect: invalid-device
}
