// A small training step as such programs are: all directions fit.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                      \
  {                                                      \
    const cudaError_t error = call;                      \
    if (error != cudaSuccess) {                          \
      printf("Error: %s:%d, ", __FILE__, __LINE__);      \
      printf("reason: %s\n", cudaGetErrorString(error)); \
      exit(1);                                           \
    }                                                    \
  }

__global__ void scale(float* values, const float* by, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] *= *by;
}

struct Model {
  float* memory = nullptr;
  float* parts[3];
};

void point_to(Model& model, float* memory, size_t each) {
  model.memory = memory;
  float* next = memory;
  for (float*& part : model.parts) {
    part = next;
    next += each;
  }
}

int main() {
  const int count = 1 << 10;
  const size_t bytes = count * sizeof(float);
  std::vector<float> host(count, 2.0f);
  float *d_memory, *d_by;
  CHECK(cudaMalloc(&d_memory, 3 * bytes));
  CHECK(cudaMalloc(&d_by, sizeof(float)));
  Model model;
  point_to(model, d_memory, count);
  for (int i = 0; i < 3; ++i)
    CHECK(cudaMemcpy(d_memory + i * count, host.data(), bytes, cudaMemcpyHostToDevice));
  float by = 0.5f;
  CHECK(cudaMemcpy(d_by, &by, sizeof(float), cudaMemcpyHostToDevice));
  scale<<<(count + 255) / 256, 256>>>(d_memory, d_by, count);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(host.data(), d_memory, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(d_memory + count, d_memory, bytes, cudaMemcpyDeviceToDevice));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(d_memory));
  CHECK(cudaFree(d_by));
  return host[0] == 1.0f ? 0 : 1;
}
