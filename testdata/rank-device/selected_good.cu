// run: RANKS=2 RANK=0
// Each rank selects its device before it makes its communicator; a rank that is alone need not.
#include <cuda_runtime.h>
#include <nccl.h>

#include <cstdlib>
#include <thread>
#include <vector>

void work(int rank, int ranks, ncclUniqueId id) {
  cudaSetDevice(rank);
  ncclComm_t all;
  ncclCommInitRank(&all, ranks, id, rank);
  ncclCommDestroy(all);
}

void alone(int rank, ncclUniqueId id) {
  ncclComm_t one;
  ncclCommInitRank(&one, 1, id, rank);
  ncclCommDestroy(one);
}

int main() {
  const int ranks = std::atoi(std::getenv("RANKS"));
  ncclUniqueId id;
  ncclGetUniqueId(&id);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) threads.emplace_back(work, rank, ranks, id);
  for (std::thread& each : threads) each.join();
  alone(std::atoi(std::getenv("RANK")), id);
}
