// What is asked of a communicator leaves it as it was.
#include <cuda_runtime.h>
#include <nccl.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>

constexpr size_t kSize = 256;

void report(ncclComm_t* comms, int count) {
  for (int i = 0; i < count; ++i) {
    int rank = 0;
    int ranks = 0;
    int device = 0;
    ncclCommUserRank(comms[i], &rank);
    ncclCommCount(comms[i], &ranks);
    ncclCommCuDevice(comms[i], &device);
    std::printf("rank %d of %d is on device %d\n", rank, ranks, device);
  }
}

float** make_buffers(int count) {
  auto** buffers = static_cast<float**>(std::malloc(count * sizeof(float*)));
  for (int i = 0; i < count; ++i) {
    cudaSetDevice(i);
    cudaMalloc(&buffers[i], kSize * sizeof(float));
  }
  return buffers;
}

void one_after_the_other() {
  ncclComm_t comms[2];
  ncclCommInitAll(comms, 2, nullptr);
  report(comms, 2);
  float** buffers = make_buffers(2);
  for (int i = 0; i < 2; ++i) {
    cudaSetDevice(i);
    float* own = buffers[i];
    ncclAllReduce(own, own, kSize, ncclFloat, ncclSum, comms[i], nullptr);  // expect: nccl-usage
  }
}

void streams_of_one_device() {
  ncclComm_t comms[2];
  cudaStream_t streams[2];
  ncclCommInitAll(comms, 2, nullptr);
  cudaSetDevice(0);
  for (int i = 0; i < 2; ++i) {
    int rank = 0;
    cudaStreamCreate(&streams[i]);
    ncclCommUserRank(comms[i], &rank);
    cudaStreamQuery(streams[i]);
  }
  float** buffers = make_buffers(2);
  ncclGroupStart();
  for (int i = 0; i < 2; ++i) {
    float* own = buffers[i];
    ncclAllReduce(own, own, kSize, ncclFloat, ncclSum, comms[i], streams[i]);  // expect: nccl-usage
  }
  ncclGroupEnd();
}

void each_on_its_device() {
  ncclComm_t comms[2];
  cudaStream_t streams[2];
  ncclCommInitAll(comms, 2, nullptr);
  for (int i = 0; i < 2; ++i) {
    cudaSetDevice(i);
    cudaStreamCreate(&streams[i]);
  }
  report(comms, 2);
  float** buffers = make_buffers(2);
  ncclGroupStart();
  for (int i = 0; i < 2; ++i)
    ncclAllReduce(buffers[i], buffers[i], kSize, ncclFloat, ncclSum, comms[i], streams[i]);
  ncclGroupEnd();
}

int main() {
  one_after_the_other();
  streams_of_one_device();
  each_on_its_device();
}
