// A group is opened and closed under the same condition; a single rank needs none.
#include <cuda_runtime.h>
#include <nccl.h>

#include <cstdlib>
#include <cstring>
#include <vector>

struct Cards {
  int count;
  ncclComm_t comms[2];
  cudaStream_t streams[2];
  float* values[2];
};

void prepare(Cards& cards) {
  ncclCommInitAll(cards.comms, 2, nullptr);
  for (int i = 0; i < 2; ++i) {
    cudaSetDevice(i);
    cudaStreamCreate(&cards.streams[i]);
    cudaMalloc(&cards.values[i], 1024);
  }
  cards.count = 2;
}

void all_reduce(Cards& cards, int rank) {
  ncclAllReduce(cards.values[rank], cards.values[rank], 256, ncclFloat, ncclSum, cards.comms[rank],
                cards.streams[rank]);
}

void average_gradients(Cards& cards, bool several) {
  if (several) ncclGroupStart();
  for (int i = 0; i < (several ? 2 : 1); ++i) all_reduce(cards, i);
  if (several) ncclGroupEnd();
}

// All that can go wrong is looked at before the group is opened.
bool average_if_ready(Cards& cards) {
  for (int i = 0; i < cards.count; ++i) {
    if (cards.values[i] == nullptr) return false;
  }
  ncclGroupStart();
  for (int i = 0; i < cards.count; ++i) all_reduce(cards, i);
  return ncclGroupEnd() == ncclSuccess;
}

// Groups may be opened in groups: the outermost counts.
void nested(Cards& cards) {
  ncclGroupStart();
  average_if_ready(cards);
  ncclGroupStart();
  for (int i = 0; i < cards.count; ++i) {
    ncclBroadcast(cards.values[i], cards.values[i], 64, ncclFloat, 1, cards.comms[i],
                  cards.streams[i]);
  }
  ncclGroupEnd();
  ncclGroupEnd();
}

void one_rank_again_and_again(int turns) {
  ncclComm_t comm;
  float* values;
  cudaSetDevice(0);
  cudaMalloc(&values, 1024);
  ncclCommInitAll(&comm, 1, nullptr);
  for (int turn = 0; turn < turns; ++turn)
    ncclAllReduce(values, values, 256, ncclFloat, ncclSum, comm, nullptr);
  ncclCommDestroy(comm);
  cudaFree(values);
}

int main(int argc, char** argv) {
  Cards cards;
  prepare(cards);
  average_gradients(cards, !(argc > 1 && std::strcmp(argv[1], "--one-card") == 0));
  average_if_ready(cards);
  nested(cards);
  one_rank_again_and_again(3);
}
