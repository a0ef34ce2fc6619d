// A class keeps the ranks; that its calls belong into a group is left to its users.
#include <cuda_runtime.h>
#include <nccl.h>

#include <cstddef>
#include <vector>

class Communicator {
 public:
  explicit Communicator(int ranks) : comms_(ranks), streams_(ranks) {
    ncclCommInitAll(comms_.data(), ranks, nullptr);
    for (int rank = 0; rank < ranks; ++rank) {
      cudaSetDevice(rank);
      cudaStreamCreate(&streams_[rank]);
    }
  }
  ~Communicator() {
    for (ncclComm_t comm : comms_) ncclCommDestroy(comm);
  }

  int size() const { return static_cast<int>(comms_.size()); }

  void all_reduce(int rank, float* values, size_t count) {
    ncclAllReduce(values, values, count, ncclFloat, ncclSum, comms_[rank],  // expect: nccl-usage
                  streams_[rank]);
  }
  void broadcast_from_first(int rank, float* values, size_t count) {
    ncclBroadcast(values, values, count, ncclFloat, 0, comms_[rank], streams_[rank]);
  }

 private:
  std::vector<ncclComm_t> comms_;
  std::vector<cudaStream_t> streams_;
};

struct Replica {
  float* weights = nullptr;
  float* gradients = nullptr;
};

std::vector<Replica> make_replicas(int count, size_t size) {
  std::vector<Replica> replicas(count);
  for (int i = 0; i < count; ++i) {
    cudaSetDevice(i);
    cudaMalloc(&replicas[i].weights, size * sizeof(float));
    cudaMalloc(&replicas[i].gradients, size * sizeof(float));
  }
  return replicas;
}

int main() {
  constexpr size_t kSize = 512;
  Communicator communicator(2);
  std::vector<Replica> replicas = make_replicas(2, kSize);
  ncclGroupStart();
  for (int rank = 0; rank < 2; ++rank)
    communicator.broadcast_from_first(rank, replicas[rank].weights, kSize);
  ncclGroupEnd();
  for (int rank = 0; rank < 2; ++rank) communicator.all_reduce(rank, replicas[rank].gradients, kSize);
}
