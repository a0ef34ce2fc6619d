// What follows loops with several conditions.
#include <cuda_runtime.h>

#include <cmath>
#include <utility>

__global__ void relax(float* to, const float* from) { to[threadIdx.x] = from[threadIdx.x]; }

int main() {
  float *a, *b, *residual, from_device = 1.0f;
  float values[256] = {};
  cudaMalloc(&a, 1024);
  cudaMalloc(&b, 1024);
  cudaMalloc(&residual, sizeof(float));
  int turn = 0;
  while (from_device > 1e-3f && turn < 10) {
    relax<<<1, 256>>>(b, a);
    cudaMemcpy(&from_device, residual, sizeof(float), cudaMemcpyDeviceToHost);
    if (turn == 5 || std::isnan(from_device)) break;
    std::swap(a, b);
    ++turn;
  }
  cudaMemcpy(values, a, 1024, cudaMemcpyHostToDevice);  // expect: cuda-memcpy-kind
  cudaMemcpy(values, a, 1024, cudaMemcpyDeviceToHost);
}
