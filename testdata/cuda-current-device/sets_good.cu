// Bytes are set on the device that the memory is on, whichever is current.
#include <cuda_runtime.h>

int main() {
  float* values[2];
  cudaStream_t streams[2];
  for (int i = 0; i < 2; ++i) {
    cudaSetDevice(i);
    cudaMalloc(&values[i], 64 * sizeof(float));
    cudaStreamCreate(&streams[i]);
  }
  for (int i = 0; i < 2; ++i) cudaMemset(values[i], 0, 64 * sizeof(float));
  for (int i = 0; i < 2; ++i) cudaMemsetAsync(values[i], 0, 64 * sizeof(float), streams[i]);
}
