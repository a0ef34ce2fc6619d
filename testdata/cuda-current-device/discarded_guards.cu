// A guard without a name ends with its statement: what follows is on the device that was current.
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

class Buffer {
 public:
  explicit Buffer(int device) : device_(device) {
    DeviceGuard{device_};
    cudaMalloc(&values_, 1024);
  }
  Buffer(const Buffer&) = delete;
  ~Buffer() { cudaFree(values_); }
  float* values() { return values_; }
  int device() const { return device_; }

 private:
  int device_;
  float* values_ = nullptr;
};

__global__ void fill(float* values, float by) { values[threadIdx.x] = by; }

void fill_on_its_device(Buffer& buffer) {
  DeviceGuard guard(buffer.device());
  fill<<<1, 256>>>(buffer.values(), 1.0f);  // expect: cuda-current-device
}

int main() {
  float* values = nullptr;
  DeviceGuard{1};
  cudaMalloc(&values, 1024);
  cudaSetDevice(1);
  fill<<<1, 256>>>(values, 1.0f);  // expect: cuda-current-device
  cudaSetDevice(0);
  cudaFree(values);

  Buffer second(1);
  fill_on_its_device(second);
}
