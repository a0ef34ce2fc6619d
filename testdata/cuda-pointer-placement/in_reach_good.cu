// Managed, pinned and registered memory in kernels and on the host.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

__managed__ int counter;
__device__ float table[256];

__global__ void add(float* to, const float* from, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] += from[i] + table[i];
}
__global__ void count_up(int* value) { ++*value; }

class Managed {
 public:
  void* operator new(size_t size) {
    void* memory;
    cudaMallocManaged(&memory, size);
    cudaDeviceSynchronize();
    return memory;
  }
  void operator delete(void* memory) { cudaFree(memory); }
};
struct Settings : Managed {
  float scale = 1.0f;
};
__global__ void with_settings(Settings* settings) { settings->scale *= 2; }

void managed() {
  float* a;
  cudaMallocManaged(&a, 1024);
  for (int i = 0; i < 256; ++i) a[i] = 1.0f;
  add<<<1, 256>>>(a, a, 256);
  cudaDeviceSynchronize();
  printf("%f\n", *std::max_element(a, a + 256));
  cudaFree(a);
}

void pinned() {
  float *h, *d;
  cudaHostAlloc((void**)&h, 1024, cudaHostAllocMapped);
  memset(h, 0, 1024);
  h[0] = 1.0f;
  cudaHostGetDevicePointer((void**)&d, h, 0);
  add<<<1, 256>>>(d, h, 256);
  cudaFreeHost(h);
}

void registered(std::vector<float>& values) {
  std::vector<float> own(256);
  cudaHostRegister(own.data(), 1024, cudaHostRegisterDefault);
  add<<<1, 256>>>(own.data(), own.data(), 256);
  cudaHostUnregister(own.data());
}

int main() {
  managed();
  pinned();
  std::vector<float> values(256);
  registered(values);
  counter = 0;
  count_up<<<1, 1>>>(&counter);
  Settings* settings = new Settings;
  with_settings<<<1, 1>>>(settings);
  delete settings;
  float h_table[256] = {};
  cudaMemcpyToSymbol(table, h_table, sizeof(h_table));
}
