// What host code calls a variable of a device is its shadow.
#include <cuda_runtime.h>

__device__ float table[256];
__constant__ float scale;

__global__ void apply(float* to, const float* from) { to[threadIdx.x] = from[threadIdx.x]; }

int main() {
  float *to, *address;
  cudaMalloc(&to, 1024);
  apply<<<1, 256>>>(to, table);  // expect: cuda-pointer-placement
  apply<<<1, 1>>>(to, &scale);   // expect: cuda-pointer-placement
  cudaGetSymbolAddress((void**)&address, table);
  apply<<<1, 256>>>(to, address);
  cudaMemcpyToSymbol(scale, to, sizeof(float));  // expect: cuda-memcpy-kind
  cudaMemcpyToSymbol(scale, to, sizeof(float), 0, cudaMemcpyDeviceToDevice);
  float by;
  cudaMemcpyFromSymbol(&by, scale, sizeof(float));
  cudaMemcpyFromSymbol(to, scale, sizeof(float));  // expect: cuda-memcpy-kind
  cudaFree(to);
}
