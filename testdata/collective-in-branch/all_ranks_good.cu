// Both sides come to one, or all ranks do before they part.
#include <cuda_runtime.h>
#include <nccl.h>

#include <cstdio>
#include <cstdlib>

void spread(const float* weights, float* copy, size_t count, int rank, ncclComm_t all,
            cudaStream_t stream) {
  if (rank == 0) {
    ncclBroadcast(weights, copy, count, ncclFloat, 0, all, stream);
  } else {
    ncclBroadcast(nullptr, copy, count, ncclFloat, 0, all, stream);
  }
}

void average(float* loss, int rank, ncclComm_t all, cudaStream_t stream) {
  ncclAllReduce(loss, loss, 1, ncclFloat, ncclSum, all, stream);
  if (rank == 0) std::printf("done\n");
}

void checked(float* loss, int rank, ncclComm_t all, cudaStream_t stream) {
  if (rank == 7) std::exit(1);
  ncclAllReduce(loss, loss, 1, ncclFloat, ncclSum, all, stream);
}

void exchange(float* values, size_t count, int rank, ncclComm_t all, cudaStream_t stream) {
  if (rank == 0) {
    ncclSend(values, count, ncclFloat, 1, all, stream);
  } else {
    ncclRecv(values, count, ncclFloat, 0, all, stream);
  }
}

void within_a_node(float* values, size_t count, int local_rank, ncclComm_t leaders,
                   cudaStream_t stream) {
  if (local_rank == 0) ncclAllReduce(values, values, count, ncclFloat, ncclSum, leaders, stream);
}

int main() { return 0; }
