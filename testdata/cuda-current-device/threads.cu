// A new thread starts on the first device.
#include <cuda_runtime.h>

#include <thread>
#include <vector>

__global__ void fill(float* values, float by) { values[threadIdx.x] = by; }

void work(float* values) {
  fill<<<1, 256>>>(values, 1.0f);  // expect: cuda-current-device
}

void selects(float* values) {
  cudaSetDevice(1);
  fill<<<1, 256>>>(values, 1.0f);
}

int main() {
  float *first, *second;
  cudaMalloc(&first, 1024);
  cudaSetDevice(1);
  cudaMalloc(&second, 1024);
  std::thread inherits_nothing(work, second);
  inherits_nothing.join();
  std::thread own(selects, second);
  own.join();
  std::thread lambda([&] {
    fill<<<1, 256>>>(second, 1.0f);  // expect: cuda-current-device
  });
  lambda.join();
  std::thread on_the_first([=] { fill<<<1, 256>>>(first, 1.0f); });
  on_the_first.join();
  // What the threads select is their own affair.
  fill<<<1, 256>>>(second, 1.0f);
  fill<<<1, 256>>>(first, 1.0f);  // expect: cuda-current-device
}
