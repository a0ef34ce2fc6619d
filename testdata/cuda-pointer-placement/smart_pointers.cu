// Smart pointers to memory of the wrong side.
#include <cuda_runtime.h>

#include <cstdio>
#include <memory>

struct DeviceDeleter {
  void operator()(float* memory) const { cudaFree(memory); }
};

using DevicePointer = std::unique_ptr<float, DeviceDeleter>;

__global__ void scale(float* values, float by) { values[threadIdx.x] *= by; }

DevicePointer on_device(size_t count) {
  float* memory = nullptr;
  if (cudaMalloc(&memory, count * sizeof(float)) != cudaSuccess) return nullptr;
  return DevicePointer(memory);
}

void read_on_the_host() {
  DevicePointer norm = on_device(1);
  std::printf("%f\n", *norm);  // expect: cuda-pointer-placement
  *norm = 1.0f;                // expect: cuda-pointer-placement

  float* memory = nullptr;
  cudaMalloc(&memory, 1024);
  std::shared_ptr<float> shared(memory, cudaFree);
  const float first = *shared;  // expect: cuda-pointer-placement
  std::printf("%f\n", first);
}

void given_to_kernels() {
  auto one = std::make_unique<float>(1.0f);
  scale<<<1, 1>>>(one.get(), 2.0f);  // expect: cuda-pointer-placement
  auto several = std::make_unique<float[]>(256);
  scale<<<1, 256>>>(several.get(), 2.0f);  // expect: cuda-pointer-placement
  std::unique_ptr<float> given(new float(1.0f));
  scale<<<1, 1>>>(given.get(), 2.0f);  // expect: cuda-pointer-placement
  auto shared = std::make_shared<float>(1.0f);
  scale<<<1, 1>>>(shared.get(), 2.0f);  // expect: cuda-pointer-placement
}

int main() {
  read_on_the_host();
  given_to_kernels();
}
