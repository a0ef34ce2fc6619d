// A process has several of the machine's devices, counted from its first one; elements are named by
// adding to the address of the first.
#include <cuda_runtime.h>
#include <nccl.h>

#include <cstddef>
#include <cstdlib>

constexpr int kDevices = 2;
constexpr size_t kSize = 128;

void make_communicators(ncclComm_t* comms, int first) {
  ncclUniqueId id;
  ncclGetUniqueId(&id);
  ncclGroupStart();
  for (int i = 0; i < kDevices; ++i) {
    cudaSetDevice(first * kDevices + i);
    ncclCommInitRank(comms + i, kDevices, id, i);
  }
  ncclGroupEnd();
}

void make_buffers(float** buffers, cudaStream_t* streams, int first) {
  for (int i = 0; i < kDevices; ++i) {
    cudaSetDevice(first * kDevices + i);
    cudaMalloc(reinterpret_cast<void**>(buffers) + i, kSize * sizeof(float));
    cudaStreamCreate(streams + i);
  }
}

void sum(float** buffers, ncclComm_t* comms, cudaStream_t* streams) {
  ncclGroupStart();
  for (int i = 0; i < kDevices; ++i)
    ncclAllReduce(buffers[i], buffers[i], kSize, ncclFloat, ncclSum, comms[i], streams[i]);
  ncclGroupEnd();
}

void selected(int first) {
  ncclComm_t comms[kDevices];
  auto** buffers = static_cast<float**>(std::malloc(kDevices * sizeof(float*)));
  auto* streams = static_cast<cudaStream_t*>(std::malloc(kDevices * sizeof(cudaStream_t)));
  make_communicators(comms, first);
  make_buffers(buffers, streams, first);
  sum(buffers, comms, streams);
}

void not_selected(int first) {
  ncclComm_t comms[kDevices];
  auto** buffers = static_cast<float**>(std::malloc(kDevices * sizeof(float*)));
  auto* streams = static_cast<cudaStream_t*>(std::malloc(kDevices * sizeof(cudaStream_t)));
  make_communicators(comms, first);
  make_buffers(buffers, streams, first);
  cudaSetDevice(first * kDevices);
  for (int i = 0; i < kDevices; ++i)
    cudaMalloc(reinterpret_cast<void**>(buffers) + i, kSize * sizeof(float));
  ncclGroupStart();
  for (int i = 0; i < kDevices; ++i) {
    float* own = buffers[i];
    ncclAllReduce(own, own, kSize, ncclFloat, ncclSum, comms[i], streams[i]);  // expect: nccl-usage
  }
  ncclGroupEnd();
}

int main() {
  selected(0);
  not_selected(0);
}
