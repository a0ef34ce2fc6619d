// Devices and roots that are computed from the number of ranks.
#include <cuda_runtime.h>
#include <nccl.h>

#include <vector>

static std::vector<int> two_by_two(int ranks) {
  std::vector<int> devices(ranks);
  for (int rank = 0; rank < ranks; ++rank) devices[rank] = rank / 2;
  return devices;
}

class Group {
 public:
  explicit Group(int size) : size_(size), comms_(size) {
    ncclCommInitAll(comms_.data(), size_, nullptr);
  }
  ~Group() {
    for (ncclComm_t each : comms_) ncclCommDestroy(each);
  }
  int last() const { return size_; }
  ncclResult_t broadcast(const std::vector<float*>& buffers,
                         const std::vector<cudaStream_t>& streams, int root) {
    ncclGroupStart();
    for (int i = 0; i < size_; ++i) {
      ncclResult_t result = ncclBroadcast(buffers[i], buffers[i], 64, ncclFloat, root,  // expect: nccl-usage
                                          comms_[i], streams[i]);
      if (result != ncclSuccess) return result;
    }
    return ncclGroupEnd();
  }

 private:
  int size_;
  std::vector<ncclComm_t> comms_;
};

int main() {
  int count = 0;
  cudaGetDeviceCount(&count);
  std::vector<ncclComm_t> comms(count);
  const std::vector<int> devices = two_by_two(count);
  ncclCommInitAll(comms.data(), count, devices.data());  // expect: nccl-usage

  std::vector<float*> buffers(count);
  std::vector<cudaStream_t> streams(count);
  for (int i = 0; i < count; ++i) {
    cudaSetDevice(i);
    cudaMalloc(&buffers[i], 256);
    cudaStreamCreate(&streams[i]);
  }
  Group group(count);
  group.broadcast(buffers, streams, group.last());
}
