// Memory that both sides reach fits any direction; cudaMemcpyDefault asks the pointers.
#include <cuda_runtime.h>

#include <cstdlib>
#include <vector>

constexpr size_t kBytes = 1024;

void managed() {
  float *a, *b, *d;
  float* h = (float*)malloc(kBytes);
  cudaMallocManaged(&a, kBytes);
  cudaMallocManaged(&b, kBytes);
  cudaMalloc(&d, kBytes);
  cudaMemcpy(a, b, kBytes, cudaMemcpyHostToHost);
  cudaMemcpy(a, b, kBytes, cudaMemcpyDeviceToDevice);
  cudaMemcpy(d, a, kBytes, cudaMemcpyDeviceToDevice);
  cudaMemcpy(d, a, kBytes, cudaMemcpyHostToDevice);
  cudaMemcpy(a, h, kBytes, cudaMemcpyHostToDevice);
  cudaMemcpy(a, h, kBytes, cudaMemcpyHostToHost);
  cudaFree(a);
  cudaFree(b);
  cudaFree(d);
  free(h);
}

void pinned() {
  float *h, *mapped, *d;
  cudaMallocHost(&h, kBytes);
  cudaHostAlloc(&mapped, kBytes, cudaHostAllocMapped);
  cudaMalloc(&d, kBytes);
  cudaMemcpyAsync(d, h, kBytes, cudaMemcpyHostToDevice);
  cudaMemcpyAsync(h, d, kBytes, cudaMemcpyDeviceToHost);
  cudaMemcpyAsync(d, mapped, kBytes, cudaMemcpyDeviceToDevice);
  cudaFreeHost(h);
  cudaFreeHost(mapped);
  cudaFree(d);
}

void registered() {
  std::vector<float> values(256);
  float* d;
  cudaMalloc(&d, kBytes);
  cudaHostRegister(values.data(), kBytes, cudaHostRegisterMapped);
  cudaMemcpy(d, values.data(), kBytes, cudaMemcpyDeviceToDevice);
  cudaHostUnregister(values.data());
  cudaFree(d);
}

void by_default() {
  std::vector<float> values(256);
  float* d;
  cudaMalloc(&d, kBytes);
  cudaMemcpy(d, values.data(), kBytes, cudaMemcpyDefault);
  cudaMemcpy(values.data(), d, kBytes, cudaMemcpyDefault);
  cudaFree(d);
}

int main() {
  managed();
  pinned();
  registered();
  by_default();
}
