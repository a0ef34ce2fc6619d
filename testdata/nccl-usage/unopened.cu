// A group is closed that nobody opened.
#include <cuda_runtime.h>
#include <nccl.h>

// Whoever calls this may have opened one.
void finish() { ncclGroupEnd(); }

void layer_by_layer(ncclComm_t comm, float* values, cudaStream_t stream, int layers) {
  for (int i = 0; i < layers; ++i)
    ncclAllReduce(values + i * 64, values + i * 64, 64, ncclFloat, ncclSum, comm, stream);
  ncclGroupEnd();  // expect: nccl-usage
}

void all_layers(ncclComm_t comm, float* values, cudaStream_t stream, int layers) {
  ncclGroupStart();
  for (int i = 0; i < layers; ++i)
    ncclAllReduce(values + i * 64, values + i * 64, 64, ncclFloat, ncclSum, comm, stream);
  finish();
}

int main() {
  ncclComm_t comm;
  int device = 0;
  ncclCommInitAll(&comm, 1, &device);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  float* values = nullptr;
  cudaMalloc(&values, 256 * sizeof(float));
  all_layers(comm, values, stream, 4);
  layer_by_layer(comm, values, stream, 4);
  return 0;
}
