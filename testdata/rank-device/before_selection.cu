// run: RANKS=2
// The communicator of each rank is made before its device is selected: all are on the first.
#include <cuda_runtime.h>
#include <nccl.h>

#include <cstdlib>
#include <thread>
#include <vector>

void work(int rank, int ranks, ncclUniqueId id) {
  ncclComm_t all;
  ncclCommInitRank(&all, ranks, id, rank);  // expect: rank-device
  cudaSetDevice(rank);
  float* values = nullptr;
  cudaMalloc(&values, 32 * sizeof(float));
  ncclCommDestroy(all);
}

int main() {
  const int ranks = std::atoi(std::getenv("RANKS"));
  ncclUniqueId id;
  ncclGetUniqueId(&id);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) threads.emplace_back(work, rank, ranks, id);
  for (std::thread& each : threads) each.join();
}
