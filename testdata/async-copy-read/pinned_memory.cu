// Pinned memory is written by the device while the host goes on.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(float* values) { values[threadIdx.x] = 1.0f; }

int main() {
  float* device = nullptr;
  float* host = nullptr;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&device, 256 * sizeof(float));
  cudaMallocHost(&host, 256 * sizeof(float));
  fill<<<1, 256, 0, stream>>>(device);
  cudaMemcpyAsync(host, device, 256 * sizeof(float), cudaMemcpyDeviceToHost, stream);
  float first = host[0];  // expect: async-copy-read
  cudaStreamSynchronize(stream);
  std::printf("%f %f\n", first, host[1]);
}
