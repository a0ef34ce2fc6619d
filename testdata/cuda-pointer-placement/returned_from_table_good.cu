// Memory of a device that a table of the host keeps and a function returns.
#include <cuda_runtime.h>

#include <map>

__global__ void fill(float* values) { values[threadIdx.x] = 1.0f; }

class Scratch {
 public:
  ~Scratch() {
    for (auto& entry : by_size_) cudaFree(entry.second);
  }
  float* get(size_t size) {
    auto found = by_size_.find(size);
    if (found == by_size_.end()) {
      float* made = nullptr;
      cudaMalloc(&made, size * sizeof(float));
      found = by_size_.emplace(size, made).first;
    }
    return found->second;
  }

 private:
  std::map<size_t, float*> by_size_;
};

int main() {
  Scratch scratch;
  float* values = scratch.get(64);
  fill<<<1, 64>>>(values);
  float host[64];
  cudaMemcpy(host, values, sizeof(host), cudaMemcpyDeviceToHost);
  fill<<<1, 64>>>(scratch.get(64));
}
