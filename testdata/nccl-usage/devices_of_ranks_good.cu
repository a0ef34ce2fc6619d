// What a rank is given is of its device, in whichever order ranks and devices are numbered.
#include <cuda_runtime.h>
#include <nccl.h>

#include <array>
#include <cstddef>
#include <vector>

constexpr int kRanks = 2;
constexpr size_t kCount = 256;

struct Rank {
  int device = 0;
  float* gradients = nullptr;
  cudaStream_t stream = nullptr;
  ncclComm_t comm = nullptr;

  void allocate() {
    cudaSetDevice(device);
    cudaMalloc(&gradients, kCount * sizeof(float));
    cudaStreamCreate(&stream);
  }
  void release() {
    cudaSetDevice(device);
    cudaStreamDestroy(stream);
    cudaFree(gradients);
    ncclCommDestroy(comm);
  }
};

void reversed() {
  const int devices[kRanks] = {1, 0};
  ncclComm_t comms[kRanks];
  ncclCommInitAll(comms, kRanks, devices);
  std::vector<Rank> ranks(kRanks);
  for (int i = 0; i < kRanks; ++i) {
    ranks[i].device = devices[i];
    ranks[i].comm = comms[i];
    ranks[i].allocate();
  }
  ncclGroupStart();
  for (Rank& rank : ranks)
    ncclAllReduce(rank.gradients, rank.gradients, kCount, ncclFloat, ncclSum, rank.comm,
                  rank.stream);
  ncclGroupEnd();
  for (Rank& rank : ranks) rank.release();
}

// Only the root receives; the others have nowhere to put a result.
void reduced_to_the_root() {
  ncclComm_t comms[kRanks];
  ncclCommInitAll(comms, kRanks, nullptr);
  float* values[kRanks];
  float* total = nullptr;
  cudaStream_t streams[kRanks];
  for (int i = 0; i < kRanks; ++i) {
    cudaSetDevice(i);
    cudaMalloc(&values[i], kCount * sizeof(float));
    cudaStreamCreate(&streams[i]);
  }
  cudaSetDevice(0);
  cudaMalloc(&total, kCount * sizeof(float));
  ncclGroupStart();
  for (int i = 0; i < kRanks; ++i)
    ncclReduce(values[i], i == 0 ? total : nullptr, kCount, ncclFloat, ncclSum, 0, comms[i],
               streams[i]);
  ncclGroupEnd();
}

// The default stream of whichever device a rank has.
void default_streams() {
  std::array<ncclComm_t, kRanks> comms;
  std::array<float*, kRanks> values;
  ncclCommInitAll(comms.data(), kRanks, nullptr);
  for (int i = 0; i < kRanks; ++i) {
    cudaSetDevice(i);
    cudaMalloc(&values[i], kCount * sizeof(float));
  }
  ncclGroupStart();
  for (int i = 0; i < kRanks; ++i) {
    cudaSetDevice(i);
    ncclAllReduce(values[i], values[i], kCount, ncclFloat, ncclSum, comms[i], nullptr);
  }
  ncclGroupEnd();
}

void filled() {
  int count = 0;
  cudaGetDeviceCount(&count);
  std::vector<int> cards(count);
  for (int i = 0; i < count; ++i) cards[i] = i;
  std::vector<ncclComm_t> comms(count);
  ncclCommInitAll(comms.data(), count, cards.data());
}

int main() {
  filled();
  reversed();
  reduced_to_the_root();
  default_streams();
}
