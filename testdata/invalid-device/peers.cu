// Whether devices may use each other's memory is asked of one device too many.
#include <cuda_runtime.h>

#include <cstdio>

int card_from_the_back(int rank, int count) { return count - rank; }

int main() {
  int count = 0;
  cudaGetDeviceCount(&count);
  for (int peer = 1; peer <= count; ++peer) {
    int may = 0;
    cudaDeviceCanAccessPeer(&may, 0, peer);  // expect: invalid-device
    std::printf("%d: %d\n", peer, may);
  }
  for (int rank = 0; rank < count; ++rank) {
    cudaSetDevice(card_from_the_back(rank, count));  // expect: invalid-device
  }
}
