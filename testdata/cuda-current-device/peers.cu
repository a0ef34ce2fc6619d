// Peer access is one device's, to one other's memory.
#include <cuda_runtime.h>

__global__ void copy(float* to, const float* from) { to[threadIdx.x] = from[threadIdx.x]; }

int main() {
  float *first, *second;
  cudaSetDevice(0);
  cudaMalloc(&first, 1024);
  cudaSetDevice(1);
  cudaMalloc(&second, 1024);
  cudaDeviceEnablePeerAccess(0, 0);
  copy<<<1, 256>>>(second, first);
  cudaSetDevice(0);
  copy<<<1, 256>>>(first, second);  // expect: cuda-current-device
  cudaMemcpyPeer(first, 0, second, 1, 1024);
}
