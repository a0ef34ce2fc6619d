// The device after the last one does not exist.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

static int successor(int device) { return device + 1; }

struct Member {
  int device;
  float* data;
};

class Ring {
 public:
  explicit Ring(int size) {
    for (int i = 0; i < size; ++i) {
      Member made{i, nullptr};
      cudaSetDevice(i);
      cudaMalloc(&made.data, 256);
      members_.push_back(made);
    }
  }
  ~Ring() {
    for (Member& each : members_) cudaFree(each.data);
  }

  cudaError_t send(int from) {
    const int to = from + 1;
    const Member& target = members_[to % members_.size()];
    cudaSetDevice(members_[from].device);
    return cudaMemcpyPeer(target.data, to, members_[from].data, members_[from].device,  // expect: invalid-device
                          256);
  }

 private:
  std::vector<Member> members_;
};

int main() {
  int count = 0;
  cudaGetDeviceCount(&count);
  if (count < 2) return 0;
  for (int i = 0; i < count; ++i) {
    if (cudaSetDevice(successor(i)) != cudaSuccess) std::puts("cannot select");  // expect: invalid-device
  }
  for (int i = 0; i < count; ++i) {
    cudaSetDevice(i + 1);  // expect: invalid-device
    cudaDeviceSynchronize();
  }
  Ring ring(count);
  for (int i = 0; i < count; ++i) ring.send(i);
}
