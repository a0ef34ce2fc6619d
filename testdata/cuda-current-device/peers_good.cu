// Devices that may use each other's memory.
#include <cuda_runtime.h>

__global__ void copy(float* to, const float* from) { to[threadIdx.x] = from[threadIdx.x]; }

int main() {
  int can = 0;
  cudaDeviceCanAccessPeer(&can, 1, 0);
  if (!can) return 0;
  float *first, *second;
  cudaSetDevice(0);
  cudaMalloc(&first, 1024);
  cudaSetDevice(1);
  cudaMalloc(&second, 1024);
  cudaDeviceEnablePeerAccess(0, 0);
  copy<<<1, 256>>>(second, first);
  cudaDeviceSynchronize();
}
