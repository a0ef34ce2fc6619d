// One thread asks the ranks one after the other.
#include <cuda_runtime.h>
#include <nccl.h>

#include <cstdio>
#include <cstdlib>

#define NCCLCHECK(call)                                        \
  do {                                                         \
    ncclResult_t result = call;                                \
    if (result != ncclSuccess) {                               \
      printf("failed: %s\n", ncclGetErrorString(result));      \
      exit(EXIT_FAILURE);                                      \
    }                                                          \
  } while (0)

void in_a_loop() {
  ncclComm_t comms[2];
  int devices[2] = {0, 1};
  float *send[2], *receive[2];
  cudaStream_t streams[2];
  for (int i = 0; i < 2; ++i) {
    cudaSetDevice(i);
    cudaMalloc(&send[i], 1024);
    cudaMalloc(&receive[i], 1024);
    cudaStreamCreate(&streams[i]);
  }
  NCCLCHECK(ncclCommInitAll(comms, 2, devices));
  for (int i = 0; i < 2; ++i)
    NCCLCHECK(ncclAllReduce(send[i], receive[i], 256, ncclFloat, ncclSum, comms[i],  // expect: nccl-usage
                            streams[i]));
  NCCLCHECK(ncclGroupStart());
  for (int i = 0; i < 2; ++i)
    NCCLCHECK(ncclAllReduce(send[i], receive[i], 256, ncclFloat, ncclSum, comms[i], streams[i]));
  NCCLCHECK(ncclGroupEnd());
}

void one_by_one(float* a, float* b, cudaStream_t s, cudaStream_t t) {
  ncclComm_t comms[2];
  ncclCommInitAll(comms, 2, nullptr);
  ncclBroadcast(a, a, 64, ncclFloat, 0, comms[0], s);
  ncclBroadcast(b, b, 64, ncclFloat, 0, comms[1], t);  // expect: nccl-usage
}

void all_devices(float** buffers, cudaStream_t* streams) {
  int count;
  cudaGetDeviceCount(&count);
  ncclComm_t* comms = (ncclComm_t*)malloc(count * sizeof(ncclComm_t));
  ncclCommInitAll(comms, count, nullptr);
  for (int i = 0; i < count; ++i) {
    cudaSetDevice(i);
    ncclReduce(buffers[i], buffers[i], 64, ncclFloat, ncclSum, 0, comms[i], streams[i]);  // expect: nccl-usage
  }
}

void made_one_by_one() {
  ncclUniqueId id;
  ncclComm_t comms[2];
  ncclGetUniqueId(&id);
  for (int i = 0; i < 2; ++i) {
    cudaSetDevice(i);
    ncclCommInitRank(&comms[i], 2, id, i);  // expect: nccl-usage
  }
}

int main() {
  in_a_loop();
  one_by_one(nullptr, nullptr, nullptr, nullptr);
  made_one_by_one();
  float* buffers[16] = {};
  cudaStream_t streams[16] = {};
  all_devices(buffers, streams);
}
