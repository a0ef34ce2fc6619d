// The ranks of a group do not agree, or what they are given is on another device.
#include <cuda_runtime.h>
#include <nccl.h>

void counts(float* a, float* b, cudaStream_t s, cudaStream_t t) {
  ncclComm_t comms[2];
  ncclCommInitAll(comms, 2, nullptr);
  ncclGroupStart();
  ncclAllReduce(a, a, 64, ncclFloat, ncclSum, comms[0], s);
  ncclAllReduce(b, b, 32, ncclFloat, ncclSum, comms[1], t);  // expect: nccl-usage
  ncclGroupEnd();
  ncclGroupStart();
  ncclAllReduce(a, a, 64, ncclFloat, ncclSum, comms[0], s);
  ncclAllReduce(b, b, 64, ncclHalf, ncclSum, comms[1], t);  // expect: nccl-usage
  ncclGroupEnd();
  ncclGroupStart();
  ncclBroadcast(a, a, 64, ncclFloat, 0, comms[0], s);
  ncclBroadcast(b, b, 64, ncclFloat, 1, comms[1], t);  // expect: nccl-usage
  ncclGroupEnd();
}

void buffers() {
  ncclComm_t comms[2];
  float *first, *second;
  cudaStream_t stream, other;
  cudaSetDevice(0);
  cudaMalloc(&first, 1024);
  cudaStreamCreate(&stream);
  cudaMalloc(&second, 1024);
  cudaSetDevice(1);
  cudaStreamCreate(&other);
  ncclCommInitAll(comms, 2, nullptr);
  ncclGroupStart();
  ncclAllReduce(first, first, 64, ncclFloat, ncclSum, comms[0], stream);
  ncclAllReduce(second, second, 64, ncclFloat, ncclSum, comms[1], other);  // expect: nccl-usage
  ncclGroupEnd();
  ncclGroupStart();
  ncclSend(first, 64, ncclFloat, 1, comms[0], other);  // expect: nccl-usage
  ncclRecv(first, 64, ncclFloat, 0, comms[1], other);  // expect: nccl-usage
  ncclGroupEnd();
}

void host_buffer(ncclComm_t comm) {
  ncclComm_t comms[1];
  float values[64];
  ncclCommInitAll(comms, 1, nullptr);
  ncclAllReduce(values, values, 64, ncclFloat, ncclSum, comms[0], nullptr);  // expect: cuda-pointer-placement
}

void same_device() {
  ncclComm_t comms[2];
  int devices[] = {0, 0};
  ncclCommInitAll(comms, 2, devices);  // expect: nccl-usage
}

void rank_on_the_wrong_device(ncclUniqueId id, int ranks, int rank) {
  ncclComm_t comm;
  float* values;
  cudaSetDevice(0);
  ncclCommInitRank(&comm, ranks, id, rank);
  cudaSetDevice(1);
  cudaMalloc(&values, 256);
  ncclAllReduce(values, values, 64, ncclFloat, ncclSum, comm, nullptr);  // expect: nccl-usage
}

int main(int argc, char**) {
  counts(nullptr, nullptr, nullptr, nullptr);
  buffers();
  host_buffer(nullptr);
  same_device();
  ncclUniqueId id;
  ncclGetUniqueId(&id);
  rank_on_the_wrong_device(id, argc, 0);
  ncclGroupStart();  // expect: nccl-usage
  return 0;
}
