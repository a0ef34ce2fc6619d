// The root of a collective is a rank, not the number of a device.
#include <cuda_runtime.h>
#include <nccl.h>

#include <vector>

int main() {
  const std::vector<int> devices{1};
  const int ranks = static_cast<int>(devices.size());
  std::vector<ncclComm_t> comms(ranks);
  ncclCommInitAll(comms.data(), ranks, devices.data());
  cudaSetDevice(devices[0]);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  float *in = nullptr, *out = nullptr;
  cudaMalloc(&in, 1024 * sizeof(float));
  cudaMalloc(&out, 1024 * sizeof(float));
  const int root = devices.front();
  ncclReduce(in, out, 1024, ncclFloat, ncclSum, root, comms[0], stream);  // expect: nccl-usage
  ncclReduce(in, out, 1024, ncclFloat, ncclSum, 0, comms[0], stream);
  cudaStreamSynchronize(stream);
  ncclCommDestroy(comms[0]);
}
