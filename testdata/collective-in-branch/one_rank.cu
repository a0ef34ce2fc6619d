// Only one rank comes to the collective.
#include <cuda_runtime.h>
#include <nccl.h>

#include <cstdio>

void average(float* loss, int rank, int ranks, ncclComm_t all, cudaStream_t stream) {
  if (rank == 0) {  // noted: collective-in-branch
    ncclAllReduce(loss, loss, 1, ncclFloat, ncclSum, all, stream);  // expect: collective-in-branch
    std::printf("over %d ranks\n", ranks);
  }
}

void spread(float* weights, size_t count, int my_rank, ncclComm_t all, cudaStream_t stream) {
  if (!my_rank) ncclBroadcast(weights, weights, count, ncclFloat, 0, all, stream);  // expect: collective-in-branch
}

struct Trainer {
  int rank_ = 0;
  ncclComm_t all_ = nullptr;
  cudaStream_t stream_ = nullptr;

  void finish(float* sums, size_t count) {
    if (rank_ != 0) return;  // noted: collective-in-branch
    ncclReduce(sums, sums, count, ncclFloat, ncclSum, 0, all_, stream_);  // expect: collective-in-branch
  }
};

int main() { return 0; }
