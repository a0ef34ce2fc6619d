// The numbers of the devices contradict the pointers.
#include <cuda_runtime.h>

struct Weights {
  int device;
  float* values;
};

Weights allocate_on(int device) {
  Weights weights{device, nullptr};
  cudaSetDevice(device);
  cudaMalloc(&weights.values, 1024);
  return weights;
}

void send(const Weights& to, const Weights& from, cudaStream_t stream) {
  cudaMemcpyPeerAsync(to.values, from.device, from.values, to.device, 1024, stream);  // expect: cuda-memcpy-kind
}

int main() {
  float *first, *second;
  cudaSetDevice(0);
  cudaMalloc(&first, 1024);
  cudaSetDevice(1);
  cudaMalloc(&second, 1024);
  cudaMemcpyPeer(second, 0, first, 1, 1024);  // expect: cuda-memcpy-kind
  cudaMemcpyPeer(second, 1, first, 1, 1024);  // expect: cuda-memcpy-kind

  Weights actor = allocate_on(1);
  Weights learner = allocate_on(0);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  send(actor, learner, stream);
  cudaStreamSynchronize(stream);
}
