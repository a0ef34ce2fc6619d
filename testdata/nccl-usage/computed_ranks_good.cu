// Devices and roots that are computed from the number of ranks.
#include <cuda_runtime.h>
#include <nccl.h>

#include <vector>

static std::vector<int> backwards(int ranks) {
  std::vector<int> devices(ranks);
  for (int rank = 0; rank < ranks; ++rank) devices[rank] = ranks - 1 - rank;
  return devices;
}

int main() {
  int count = 0;
  cudaGetDeviceCount(&count);
  std::vector<ncclComm_t> comms(count);
  const std::vector<int> devices = backwards(count);
  ncclCommInitAll(comms.data(), count, devices.data());
  std::vector<float*> buffers(count);
  std::vector<cudaStream_t> streams(count);
  for (int i = 0; i < count; ++i) {
    cudaSetDevice(devices[i]);
    cudaMalloc(&buffers[i], 256);
    cudaStreamCreate(&streams[i]);
  }
  ncclGroupStart();
  for (int i = 0; i < count; ++i)
    ncclBroadcast(buffers[i], buffers[i], 64, ncclFloat, count - 1, comms[i], streams[i]);
  ncclGroupEnd();
}
