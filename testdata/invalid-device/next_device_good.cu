// The device after the last one is the first, or is not asked for.
#include <cuda_runtime.h>

static int successor(int device, int count) { return (device + 1) % count; }

static int successor_or_first(int device, int count) {
  const int next = device + 1;
  return next == count ? 0 : next;
}

int main() {
  int count = 0;
  cudaGetDeviceCount(&count);
  for (int i = 0; i < count; ++i) {
    cudaSetDevice(successor(i, count));
    cudaSetDevice(successor_or_first(i, count));
    if (i + 1 < count) cudaSetDevice(i + 1);
    if (i < count - 1) cudaSetDevice(i + 1);
    int next = i + 1;
    if (next >= count) next -= count;
    cudaSetDevice(next);
    cudaSetDevice((i + count - 1) % count);
  }
  for (int i = 0; i < count - 1; ++i) cudaSetDevice(i + 1);
  for (int i = 1; i < count; ++i) cudaSetDevice(i - 1);
  for (int i = 0; i + 1 < count; ++i) cudaSetDevice(i + 1);
}
