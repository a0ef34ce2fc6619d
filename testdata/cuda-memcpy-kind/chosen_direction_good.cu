// The direction is worked out, and fits the side that the pointer is on.
#include <cuda_runtime.h>

#include <cstdlib>

constexpr size_t kBytes = 1024;

void copy_to(void* to, const void* from, bool to_device) {
  cudaMemcpyKind kind = to_device ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
  cudaMemcpy(to, from, kBytes, kind);
}

void round_trip(bool starts_on_host) {
  float* host = static_cast<float*>(std::malloc(kBytes));
  float* device;
  cudaMalloc(&device, kBytes);
  cudaMemset(device, 0, kBytes);
  if (starts_on_host) {
    copy_to(device, host, true);
  } else {
    copy_to(host, device, false);
  }
  float* from = starts_on_host ? host : device;
  if (from == device) cudaMemcpy(host, from, kBytes, cudaMemcpyDeviceToHost);
  cudaFree(device);
  std::free(host);
}

int main() {
  round_trip(true);
  round_trip(false);
}
