// Each pointer has its own device's number.
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
  cudaMemcpyPeerAsync(to.values, to.device, from.values, from.device, 1024, stream);
}

int main() {
  float *first, *second, *same;
  cudaSetDevice(0);
  cudaMalloc(&first, 1024);
  cudaMalloc(&same, 1024);
  cudaSetDevice(1);
  cudaMalloc(&second, 1024);
  cudaMemcpyPeer(second, 1, first, 0, 1024);
  cudaMemcpyPeer(same, 0, first, 0, 1024);

  Weights actor = allocate_on(1);
  Weights learner = allocate_on(0);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  send(actor, learner, stream);
  send(learner, actor, stream);
  cudaStreamSynchronize(stream);
}
