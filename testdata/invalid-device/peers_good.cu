// Each device but the first is asked for, and the devices are taken from the back.
#include <cuda_runtime.h>

#include <cstdio>

int card_from_the_back(int rank, int count) { return count - 1 - rank; }

int main() {
  int count = 0;
  cudaGetDeviceCount(&count);
  for (int peer = 1; peer < count; ++peer) {
    int may = 0;
    cudaDeviceCanAccessPeer(&may, 0, peer);
    std::printf("%d: %d\n", peer, may);
  }
  for (int rank = 0; rank < count; ++rank) {
    cudaSetDevice(card_from_the_back(rank, count));
  }
}
