// A class keeps the ranks and opens the group, with what a group needs to be closed on every path.
#include <cuda_runtime.h>
#include <nccl.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

inline void check(ncclResult_t result) {
  if (result != ncclSuccess) throw std::runtime_error(ncclGetErrorString(result));
}

class Communicator {
 public:
  explicit Communicator(int ranks) : comms_(ranks), streams_(ranks) {
    check(ncclCommInitAll(comms_.data(), ranks, nullptr));
    for (int rank = 0; rank < ranks; ++rank) {
      cudaSetDevice(rank);
      cudaStreamCreate(&streams_[rank]);
    }
  }
  ~Communicator() {
    for (ncclComm_t comm : comms_) ncclCommDestroy(comm);
  }

  // One call for each rank, together.
  template <typename Call>
  void for_all(const Call& call) {
    check(ncclGroupStart());
    for (size_t rank = 0; rank < comms_.size(); ++rank) call(rank, comms_[rank], streams_[rank]);
    check(ncclGroupEnd());
  }

  void all_reduce(const std::vector<float*>& values, size_t count) {
    for_all([&](size_t rank, ncclComm_t comm, cudaStream_t stream) {
      check(ncclAllReduce(values[rank], values[rank], count, ncclFloat, ncclSum, comm, stream));
    });
  }

  void all_reduce_each(const std::vector<std::vector<float*>>& parameters, size_t count) {
    for (const std::vector<float*>& of_ranks : parameters) all_reduce(of_ranks, count);
  }

  void wait() {
    for (size_t rank = 0; rank < streams_.size(); ++rank) {
      cudaSetDevice(static_cast<int>(rank));
      cudaStreamSynchronize(streams_[rank]);
    }
  }

 private:
  std::vector<ncclComm_t> comms_;
  std::vector<cudaStream_t> streams_;
};

std::vector<float*> allocate(int ranks, size_t size) {
  std::vector<float*> values(ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    cudaSetDevice(rank);
    cudaMalloc(&values[rank], size * sizeof(float));
  }
  return values;
}

int main() {
  Communicator communicator(2);
  std::vector<float*> weights = allocate(2, 256), biases = allocate(2, 256);
  communicator.all_reduce(weights, 256);
  communicator.all_reduce_each({weights, biases}, 256);
  communicator.wait();
}
