// Groups, also by wrappers and guards; a thread or a process for each rank.
#include <cuda_runtime.h>
#include <nccl.h>

#include <cstdlib>
#include <thread>
#include <vector>

class Group {
 public:
  Group() { ncclGroupStart(); }
  ~Group() { end(); }
  void end() {
    if (open_) ncclGroupEnd();
    open_ = false;
  }

 private:
  bool open_ = true;
};

struct Card {
  float* values;
  cudaStream_t stream;
  ncclComm_t comm;
};

void begin() { ncclGroupStart(); }
void finish() { ncclGroupEnd(); }

void several_tensors() {
  int count;
  cudaGetDeviceCount(&count);
  std::vector<ncclComm_t> comms(count);
  std::vector<Card> cards(count);
  std::vector<float*> a(count), b(count);
  for (int i = 0; i < count; ++i) {
    cudaSetDevice(i);
    cudaMalloc(&a[i], 1024);
    cudaMalloc(&b[i], 4096);
    cudaStreamCreate(&cards[i].stream);
  }
  ncclCommInitAll(comms.data(), count, nullptr);
  begin();
  for (int i = 0; i < count; ++i)
    ncclAllReduce(a[i], a[i], 256, ncclFloat, ncclSum, comms[i], cards[i].stream);
  for (int i = 0; i < count; ++i)
    ncclAllReduce(b[i], b[i], 1024, ncclFloat, ncclSum, comms[i], cards[i].stream);
  finish();
  ncclGroupStart();
  for (int i = 0; i < count; ++i) {
    ncclSend(a[i], 256, ncclFloat, (i + 1) % count, comms[i], cards[i].stream);
    ncclRecv(b[i], 256, ncclFloat, (i + count - 1) % count, comms[i], cards[i].stream);
  }
  ncclGroupEnd();
  for (int i = 0; i < count; ++i) {
    cudaSetDevice(i);
    cudaStreamSynchronize(cards[i].stream);
    ncclCommDestroy(comms[i]);
  }
}

void ranks_of_one_thread() {
  ncclUniqueId id;
  ncclComm_t comms[2];
  ncclGetUniqueId(&id);
  ncclGroupStart();
  for (int i = 0; i < 2; ++i) {
    cudaSetDevice(i);
    ncclCommInitRank(&comms[i], 2, id, i);
  }
  ncclGroupEnd();
  for (int i = 0; i < 2; ++i) ncclCommDestroy(comms[i]);
}

void rank_of_a_thread(ncclUniqueId id, int rank) {
  float* values;
  cudaStream_t stream;
  ncclComm_t comm;
  cudaSetDevice(rank);
  cudaMalloc(&values, 1024);
  cudaStreamCreate(&stream);
  ncclCommInitRank(&comm, 2, id, rank);
  for (int turn = 0; turn < 10; ++turn)
    ncclAllReduce(values, values, 256, ncclFloat, ncclSum, comm, stream);
  ncclBroadcast(values, values, 128, ncclFloat, 0, comm, stream);
}

void threads() {
  ncclUniqueId id;
  ncclGetUniqueId(&id);
  std::thread first(rank_of_a_thread, id, 0);
  std::thread second(rank_of_a_thread, id, 1);
  first.join();
  second.join();
}

void with_a_guard(float* a, float* b, ncclComm_t first, ncclComm_t second, cudaStream_t s) {
  Group group;
  ncclAllReduce(a, a, 16, ncclFloat, ncclSum, first, s);
  ncclAllReduce(b, b, 16, ncclFloat, ncclSum, second, s);
}

int main(int argc, char** argv) {
  several_tensors();
  ranks_of_one_thread();
  threads();
  rank_of_a_thread(ncclUniqueId(), atoi(argv[1]));
}
