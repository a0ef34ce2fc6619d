// Pointers that reach a kernel inside a record, or by the address of an argument.
#include <cuda_runtime.h>

#include <utility>
#include <vector>

struct Rows {
  int count;
  const int* starts;
  const float* values;
};

struct Pair {
  float* on_host;
  float* on_device;
};

__device__ float first_of(const Rows& rows, int i) { return rows.values[rows.starts[i]]; }
__global__ void gather(Rows rows, float* to) {
  if (threadIdx.x < rows.count) to[threadIdx.x] = first_of(rows, threadIdx.x);
}
__global__ void clear(Pair pair) { pair.on_device[threadIdx.x] = 0; }
__global__ void add(float* to, const float* from) { to[threadIdx.x] += from[threadIdx.x]; }

void values_of_the_host() {
  std::vector<int> starts(4);
  std::vector<float> values(4);
  float* to;
  int* d_starts;
  cudaMalloc(&to, 1024);
  cudaMalloc(&d_starts, 1024);
  Rows rows;
  rows.count = 4;
  rows.starts = d_starts;
  rows.values = values.data();
  gather<<<1, 4>>>(rows, to);  // expect: cuda-pointer-placement
}

void what_the_kernel_leaves_alone() {
  std::vector<float> values(256);
  Pair pair;
  pair.on_host = values.data();
  cudaMalloc(&pair.on_device, 1024);
  clear<<<1, 256>>>(pair);
  pair.on_host[0] = 1.0f;
}

void by_address() {
  std::vector<float> values(256);
  float *to, *from = values.data();
  cudaMalloc(&to, 1024);
  void* arguments[] = {&to, &from};
  cudaLaunchKernel((const void*)add, dim3(1), dim3(256),  // expect: cuda-pointer-placement
                   arguments, 0, 0);
}

void exchanged() {
  std::vector<float> values(256);
  float *to, *from = values.data();
  cudaMalloc(&to, 1024);
  std::swap(to, from);
  float* before = std::exchange(to, from);
  add<<<1, 256>>>(to, from);
  add<<<1, 256>>>(from, before);  // expect: cuda-pointer-placement
}

int main() {
  values_of_the_host();
  what_the_kernel_leaves_alone();
  by_address();
  exchanged();
}
