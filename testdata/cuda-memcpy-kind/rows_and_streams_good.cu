// Pitched rows, parts of a buffer, copies in streams and between devices.
#include <cuda_runtime.h>

#include <vector>

int main() {
  std::vector<float> host(32 * 32, 1.0f);
  float *a, *b;
  size_t pitch;
  cudaMallocPitch(reinterpret_cast<void**>(&a), &pitch, 32 * sizeof(float), 32);
  cudaMalloc(&b, 32 * 32 * sizeof(float));
  cudaMemcpy2D(a, pitch, host.data(), 32 * sizeof(float), 32 * sizeof(float), 32,
               cudaMemcpyHostToDevice);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemcpyAsync(b, host.data(), 16 * sizeof(float), cudaMemcpyHostToDevice, stream);
  cudaMemcpyAsync(b + 16, b, 16 * sizeof(float), cudaMemcpyDeviceToDevice, stream);
  cudaMemcpyAsync(&host[16], b + 16, 16 * sizeof(float), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  std::vector<float> copy(16);
  cudaMemcpy(copy.data(), host.data(), 16 * sizeof(float), cudaMemcpyHostToHost);
  cudaStreamDestroy(stream);
  cudaFree(a);
  cudaFree(b);
}
