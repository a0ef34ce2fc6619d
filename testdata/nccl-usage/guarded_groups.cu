// A group is opened under one condition only, or left by a way that does not close it.
#include <cuda_runtime.h>
#include <nccl.h>

#include <cstdlib>
#include <cstring>
#include <vector>

struct Options {
  bool fused = false;
  bool verbose = false;
};

struct Cards {
  ncclComm_t comms[2];
  cudaStream_t streams[2];
  float* values[2];
};

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--fused") == 0) options.fused = true;
    if (std::strcmp(argv[i], "--verbose") == 0) options.verbose = true;
  }
  return options;
}

void prepare(Cards& cards) {
  ncclCommInitAll(cards.comms, 2, nullptr);
  for (int i = 0; i < 2; ++i) {
    cudaSetDevice(i);
    cudaStreamCreate(&cards.streams[i]);
    cudaMalloc(&cards.values[i], 1024);
  }
}

void average_gradients(Cards& cards, const Options& options) {
  if (options.fused) ncclGroupStart();
  for (int i = 0; i < 2; ++i) {
    ncclAllReduce(cards.values[i], cards.values[i], 256, ncclFloat, ncclSum,  // expect: nccl-usage
                  cards.comms[i], cards.streams[i]);
  }
  if (options.fused) ncclGroupEnd();
}

// The number of elements of the last rank is what is left.
void uneven(Cards& cards, int total) {
  const int chunk = 100;
  ncclGroupStart();
  for (int i = 0; i < 2; ++i) {
    const int count = i == 1 ? total - chunk : chunk;
    ncclReduce(cards.values[i], cards.values[i], count, ncclFloat, ncclSum, 0,  // expect: nccl-usage
               cards.comms[i], cards.streams[i]);
  }
  ncclGroupEnd();
}

bool gather(Cards& cards, const float* from, bool verbose) {
  ncclGroupStart();  // expect: nccl-usage
  for (int i = 0; i < 2; ++i) {
    if (cards.values[i] == nullptr) return false;
  }
  if (!verbose) return false;
  ncclGroupEnd();
  return from != nullptr;
}

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  Cards cards;
  prepare(cards);
  average_gradients(cards, options);
  uneven(cards, 256);
  gather(cards, nullptr, /*verbose=*/false);
}
