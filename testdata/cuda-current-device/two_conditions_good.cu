// The device is another one where two things hold, and so is what is launched: the function that
// launches asks in another order.
#include <cuda_runtime.h>

#include <vector>

enum class Mechanism { kCopyEngine, kKernel };

Mechanism mechanism = Mechanism::kCopyEngine;

__global__ void fill(int* values) { values[threadIdx.x] = 1; }

void perform(int* values, bool has_access, cudaStream_t stream) {
  if (mechanism == Mechanism::kKernel && has_access) {
    fill<<<1, 32, 0, stream>>>(values);
  } else {
    cudaMemsetAsync(values, 0, 128, stream);
  }
}

void between_all_pairs(int count) {
  std::vector<int*> buffers(count);
  std::vector<cudaStream_t> streams(count);
  for (int d = 0; d < count; d++) {
    cudaSetDevice(d);
    cudaMalloc(&buffers[d], 128);
    cudaStreamCreate(&streams[d]);
  }
  for (int i = 0; i < count; i++) {
    for (int j = 0; j < count; j++) {
      if (i == j) continue;
      int has_access = 0;
      cudaDeviceCanAccessPeer(&has_access, i, j);
      cudaSetDevice(i);
      if (has_access && mechanism == Mechanism::kKernel) cudaSetDevice(j);
      perform(buffers[j], has_access, streams[j]);
      if (has_access && mechanism == Mechanism::kKernel) cudaSetDevice(i);
      perform(buffers[i], has_access, streams[i]);
    }
  }
}

int main(int argc, char** argv) {
  if (argc > 2) mechanism = Mechanism::kKernel;
  between_all_pairs(2);
}
