// Waited for by its stream, by an event, by the device; or pageable, where the call itself waits.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(float* values) { values[threadIdx.x] = 1.0f; }

int main() {
  float* device = nullptr;
  float* host = nullptr;
  float pageable[256];
  cudaStream_t stream;
  cudaEvent_t done;
  cudaStreamCreate(&stream);
  cudaEventCreate(&done);
  cudaMalloc(&device, 256 * sizeof(float));
  cudaMallocHost(&host, 256 * sizeof(float));
  fill<<<1, 256, 0, stream>>>(device);
  cudaMemcpyAsync(host, device, 256 * sizeof(float), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  float sum = host[0];
  cudaMemcpyAsync(host, device, 256 * sizeof(float), cudaMemcpyDeviceToHost, stream);
  cudaEventRecord(done, stream);
  cudaEventSynchronize(done);
  sum += host[1];
  cudaMemcpyAsync(host, device, 256 * sizeof(float), cudaMemcpyDeviceToHost, stream);
  cudaDeviceSynchronize();
  sum += host[2];
  cudaMemcpyAsync(pageable, device, 256 * sizeof(float), cudaMemcpyDeviceToHost, stream);
  cudaDeviceSynchronize();
  std::printf("%f %f\n", sum, pageable[0]);
}
