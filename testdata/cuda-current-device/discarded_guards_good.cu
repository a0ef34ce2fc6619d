// Guards without a name that last as long as the memory's allocation, or have a name.
#include <cuda_runtime.h>

class DeviceGuard {
 public:
  explicit DeviceGuard(int device) {
    cudaGetDevice(&before_);
    cudaSetDevice(device);
  }
  DeviceGuard(const DeviceGuard&) = delete;
  ~DeviceGuard() { cudaSetDevice(before_); }

 private:
  int before_ = 0;
};

// Selects its device, and goes without restoring the other.
struct Select {
  explicit Select(int device) { cudaSetDevice(device); }
  ~Select() {}
};

__global__ void fill(float* values, float by) { values[threadIdx.x] = by; }

int main() {
  float *in_one, *in_scope, *selected;
  // Both are parts of one full expression.
  DeviceGuard{1}, cudaMalloc(&in_one, 1024);
  {
    DeviceGuard guard(1);
    cudaMalloc(&in_scope, 1024);
  }
  Select(1);
  cudaMalloc(&selected, 1024);
  fill<<<1, 256>>>(in_one, 1.0f);
  fill<<<1, 256>>>(in_scope, 1.0f);
  fill<<<1, 256>>>(selected, 1.0f);
}
