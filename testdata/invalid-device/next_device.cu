// The device after the last one does not exist.
#include <cuda_runtime.h>

#include <cstdio>

static int successor(int device) { return device + 1; }

int main() {
  int count = 0;
  cudaGetDeviceCount(&count);
  for (int i = 0; i < count; ++i) {
    if (cudaSetDevice(successor(i)) != cudaSuccess) std::puts("cannot select");  // expect: invalid-device
  }
  for (int i = 0; i < count; ++i) {
    cudaSetDevice(i + 1);  // expect: invalid-device
    cudaDeviceSynchronize();
  }
}
