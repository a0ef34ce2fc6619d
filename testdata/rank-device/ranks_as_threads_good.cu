// The ranks are threads of one process, on the devices in the other order.
#include <cuda_runtime.h>
#include <nccl.h>

#include <thread>
#include <vector>

void run_rank(int rank, int size, ncclUniqueId id) {
  const int device = size - 1 - rank;
  cudaSetDevice(device);
  ncclComm_t comm;
  ncclCommInitRank(&comm, size, id, rank);
  ncclCommDestroy(comm);
}

int main() {
  int size = 0;
  cudaGetDeviceCount(&size);
  ncclUniqueId id;
  ncclGetUniqueId(&id);
  std::vector<std::thread> ranks;
  for (int r = 0; r < size; ++r) ranks.emplace_back(run_rank, r, size, id);
  for (auto& each : ranks) each.join();
}
