// What a rank is given was made while another device was current, or for another rank.
#include <cuda_runtime.h>
#include <nccl.h>

#include <array>
#include <cstddef>
#include <vector>

constexpr int kRanks = 2;
constexpr size_t kCount = 256;

struct Rank {
  float* gradients = nullptr;
  cudaStream_t stream = nullptr;
  ncclComm_t comm = nullptr;
};

std::array<ncclComm_t, kRanks> communicators() {
  std::array<ncclComm_t, kRanks> comms;
  ncclCommInitAll(comms.data(), kRanks, nullptr);
  return comms;
}

// Memory is allocated before the device of the rank is selected.
void selected_too_late() {
  auto comms = communicators();
  std::vector<Rank> ranks(kRanks);
  for (int i = 0; i < kRanks; ++i) {
    ranks[i].comm = comms[i];
    cudaSetDevice(0);
    cudaMalloc(&ranks[i].gradients, kCount * sizeof(float));
    cudaSetDevice(i);
    cudaStreamCreate(&ranks[i].stream);
  }
  ncclGroupStart();
  for (Rank& rank : ranks) {
    ncclAllReduce(rank.gradients, rank.gradients, kCount, ncclFloat, ncclSum,  // expect: nccl-usage
                  rank.comm, rank.stream);
  }
  ncclGroupEnd();
}

// One stream for all.
void one_stream() {
  auto comms = communicators();
  float* values[kRanks];
  cudaStream_t stream;
  cudaSetDevice(0);
  cudaStreamCreate(&stream);
  for (int i = 0; i < kRanks; ++i) {
    cudaSetDevice(i);
    cudaMalloc(&values[i], kCount * sizeof(float));
  }
  ncclGroupStart();
  for (int i = 0; i < kRanks; ++i)
    ncclAllReduce(values[i], values[i], kCount, ncclFloat, ncclSum, comms[i], stream);  // expect: nccl-usage
  ncclGroupEnd();
}

// The results of all ranks are collected on the first device.
void gathered_on_the_first() {
  auto comms = communicators();
  float* parts[kRanks];
  float* all;
  cudaStream_t streams[kRanks];
  for (int i = 0; i < kRanks; ++i) {
    cudaSetDevice(i);
    cudaMalloc(&parts[i], kCount * sizeof(float));
    cudaStreamCreate(&streams[i]);
  }
  cudaSetDevice(0);
  cudaMalloc(&all, kRanks * kCount * sizeof(float));
  ncclGroupStart();
  for (int i = 0; i < kRanks; ++i)
    ncclAllGather(parts[i], all, kCount, ncclFloat, comms[i], streams[i]);  // expect: nccl-usage
  ncclGroupEnd();
}

// The list of cards is that of a machine which has one, and is to run two ranks.
std::vector<int> cards_of_ranks(bool is_small) {
  if (is_small) return {0, 0};
  return {0, 1};
}

void dealt_round() {
  const std::vector<int> cards = cards_of_ranks(/*is_small=*/true);
  ncclComm_t comms[kRanks];
  ncclCommInitAll(comms, kRanks, cards.data());  // expect: nccl-usage
}

// The list has a place for each rank, and nothing was stored there.
void never_filled() {
  int count = 0;
  cudaGetDeviceCount(&count);
  std::vector<int> cards(count);
  std::vector<ncclComm_t> comms(count);
  ncclCommInitAll(comms.data(), count, cards.data());  // expect: nccl-usage
}

int main() {
  never_filled();
  dealt_round();
  selected_too_late();
  one_stream();
  gathered_on_the_first();
}
