// What each communicator needs one of: a stream, and memory, of its own device.
#include <cuda_runtime.h>
#include <nccl.h>

#include <vector>

struct Rank {
  int device;
  ncclComm_t comm;
  cudaStream_t stream;
  float* data;
};

class OneStream {
 public:
  explicit OneStream(int world) : comms_(world), sums_(world) {
    std::vector<int> devices(world);
    for (int i = 0; i < world; ++i) devices[i] = i;
    ncclCommInitAll(comms_.data(), world, devices.data());
    for (int i = 0; i < world; ++i) {
      cudaSetDevice(i);
      cudaMalloc(&sums_[i], 16 * sizeof(float));
    }
    cudaSetDevice(0);
    cudaStreamCreate(&stream_);
  }
  void reduce() {
    ncclGroupStart();
    for (size_t i = 0; i < comms_.size(); ++i)
      ncclAllReduce(sums_[i], sums_[i], 16, ncclFloat, ncclSum, comms_[i],  // expect: nccl-usage
                    stream_);
    ncclGroupEnd();
  }

 private:
  std::vector<ncclComm_t> comms_;
  std::vector<float*> sums_;
  cudaStream_t stream_;
};

std::vector<Rank> ranks_of(int count, bool on_their_own) {
  std::vector<ncclComm_t> comms(count);
  ncclCommInitAll(comms.data(), count, nullptr);
  std::vector<Rank> ranks(count);
  cudaSetDevice(0);
  for (int i = 0; i < count; ++i) {
    ranks[i].device = i;
    ranks[i].comm = comms[i];
    if (on_their_own) cudaSetDevice(i);
    cudaMalloc(&ranks[i].data, 16 * sizeof(float));
  }
  for (auto& rank : ranks) {
    cudaSetDevice(rank.device);
    cudaStreamCreate(&rank.stream);
  }
  return ranks;
}

void sum_of_one_card(std::vector<Rank>& ranks) {
  ncclGroupStart();
  for (auto& rank : ranks)
    ncclAllReduce(rank.data, rank.data, 16, ncclFloat, ncclSum, rank.comm,  // expect: nccl-usage
                  rank.stream);
  ncclGroupEnd();
}

void sum(std::vector<Rank>& ranks) {
  ncclGroupStart();
  for (auto& rank : ranks)
    ncclAllReduce(rank.data, rank.data, 16, ncclFloat, ncclSum, rank.comm, rank.stream);
  ncclGroupEnd();
}

int main() {
  int count = 0;
  cudaGetDeviceCount(&count);
  auto good = ranks_of(count, true);
  sum(good);
  OneStream one(count);
  one.reduce();
  auto bad = ranks_of(count, false);
  sum_of_one_card(bad);
}
