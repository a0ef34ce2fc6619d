// What MPI splits, to number the ranks of a machine, is not the communicator of the collective.
#include <cuda_runtime.h>
#include <mpi.h>
#include <nccl.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 0, local = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm machine;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &machine);
  MPI_Comm_rank(machine, &local);
  cudaSetDevice(local);
  ncclUniqueId id;
  if (rank == 0) ncclGetUniqueId(&id);
  MPI_Bcast(&id, sizeof(id), MPI_BYTE, 0, MPI_COMM_WORLD);
  ncclComm_t all;
  ncclCommInitRank(&all, ranks, id, rank);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  float* loss = nullptr;
  cudaMalloc(&loss, sizeof(float));
  cudaMemsetAsync(loss, 0, sizeof(float), stream);
  if (rank == 0) {
    ncclReduce(loss, loss, 1, ncclFloat, ncclSum, 0, all, stream);  // expect: collective-in-branch
    cudaStreamSynchronize(stream);
  }
  cudaFree(loss);
  MPI_Finalize();
}
