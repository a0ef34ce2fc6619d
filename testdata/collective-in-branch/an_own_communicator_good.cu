// The branch makes a communicator of its own.
#include <cuda_runtime.h>
#include <nccl.h>

void alone(float* values, size_t count, int rank, cudaStream_t stream) {
  if (rank == 0) {
    ncclComm_t self;
    int device = 0;
    cudaGetDevice(&device);
    ncclCommInitAll(&self, 1, &device);
    ncclAllReduce(values, values, count, ncclFloat, ncclSum, self, stream);
    ncclCommDestroy(self);
  }
}

int main() { return 0; }
