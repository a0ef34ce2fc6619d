// A function that selects a device for its own work and puts back the one that was current.
#include <cuda_runtime.h>

__global__ void fill(float* values, float by) { values[threadIdx.x] = by; }

class Selected {
 public:
  explicit Selected(int device) {
    cudaGetDevice(&before_);
    cudaSetDevice(device);
  }
  ~Selected() { cudaSetDevice(before_); }

 private:
  int before_ = 0;
};

float* filled_on(int device) {
  Selected selected(device);
  float* values;
  cudaMalloc(&values, 1024);
  fill<<<1, 256>>>(values, 1.0f);
  return values;
}

void release(float* values, int device) {
  int before;
  cudaGetDevice(&before);
  cudaSetDevice(device);
  fill<<<1, 256>>>(values, 0.0f);
  cudaFree(values);
  cudaSetDevice(before);
}

int main() {
  cudaSetDevice(0);
  float* own;
  cudaMalloc(&own, 1024);
  float* other = filled_on(1);
  fill<<<1, 256>>>(own, 2.0f);
  release(other, 1);
  fill<<<1, 256>>>(own, 3.0f);
  cudaFree(own);
}
