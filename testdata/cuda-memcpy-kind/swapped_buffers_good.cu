// Two buffers of each side that change their roles; the sides stay.
#include <cuda_runtime.h>

#include <memory>
#include <utility>

struct Pair {
  float* now = nullptr;
  float* next = nullptr;
  void turn() { std::swap(now, next); }
};

int main() {
  constexpr size_t kBytes = 256;
  Pair device;
  cudaMalloc(&device.now, kBytes);
  cudaMalloc(&device.next, kBytes);
  auto host = std::make_unique<float[]>(64);
  auto spare = std::make_unique<float[]>(64);
  for (int step = 0; step < 3; ++step) {
    cudaMemcpy(device.now, host.get(), kBytes, cudaMemcpyHostToDevice);
    cudaMemcpy(device.next, device.now, kBytes, cudaMemcpyDeviceToDevice);
    device.turn();
    cudaMemcpy(spare.get(), device.now, kBytes, cudaMemcpyDeviceToHost);
    std::swap(host, spare);
  }
  cudaFree(device.now);
  cudaFree(device.next);
}
