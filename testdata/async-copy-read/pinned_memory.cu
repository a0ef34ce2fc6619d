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

  cudaSetDevice(1);
  float* other_device = nullptr;
  float* other_host = nullptr;
  cudaStream_t other;
  cudaStreamCreate(&other);
  cudaMalloc(&other_device, 256 * sizeof(float));
  cudaMallocHost(&other_host, 256 * sizeof(float));
  fill<<<1, 256, 0, other>>>(other_device);
  cudaMemcpyAsync(other_host, other_device, 256 * sizeof(float), cudaMemcpyDeviceToHost, other);
  cudaSetDevice(0);
  cudaDeviceSynchronize();
  std::printf("%f\n", other_host[0]);  // expect: async-copy-read
}
