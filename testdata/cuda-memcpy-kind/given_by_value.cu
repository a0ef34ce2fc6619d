// A function of which nothing is known is given a pointer: what it leads to may change, the pointer
// itself does not. A reference, or the pointer's address, may be set to anything.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdlib>

constexpr size_t kCount = 64;
constexpr size_t kBytes = kCount * sizeof(float);
constexpr auto kUp = cudaMemcpyHostToDevice;

void clear(float* values) { cudaMemset(values, 0, kBytes); }
void leave(float*) {}
void replace(float*& values) { values = static_cast<float*>(std::malloc(kBytes)); }
void renew(float** values) { *values = static_cast<float*>(std::malloc(kBytes)); }

struct Buffers {
  float* values = nullptr;
};

void keeps(int argc) {
  void (*use)(float*) = argc > 1 ? leave : clear;
  float* host = static_cast<float*>(std::malloc(kBytes));
  float* device[2];
  Buffers buffers;
  cudaMalloc(&device[0], kBytes);
  cudaMalloc(&device[1], kBytes);
  cudaMalloc(&buffers.values, kBytes);
  use(device[1]);
  use(buffers.values);
  cudaMemcpyAsync(device[0], device[1], kBytes, kUp);       // expect: cuda-memcpy-kind
  cudaMemcpyAsync(device[0], buffers.values, kBytes, kUp);  // expect: cuda-memcpy-kind
  cudaMemcpyAsync(device[0], host, kBytes, cudaMemcpyHostToDevice);
}

void may_replace(int argc) {
  void (*set)(float*&) = argc > 1 ? nullptr : replace;
  void (*make)(float**) = argc > 1 ? nullptr : renew;
  float* device = nullptr;
  float* one = nullptr;
  float* other = nullptr;
  cudaMalloc(&device, kBytes);
  cudaMalloc(&one, kBytes);
  cudaMalloc(&other, kBytes);
  set(one);
  make(&other);
  cudaMemcpy(device, one, kBytes, cudaMemcpyHostToDevice);
  cudaMemcpy(device, other, kBytes, cudaMemcpyHostToDevice);
}

int main(int argc, char**) {
  keeps(argc);
  may_replace(argc);
}
