// Smart pointers to memory of the side that uses it.
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

int main() {
  DevicePointer values = on_device(256);
  scale<<<1, 256>>>(values.get(), 2.0f);
  scale<<<1, 256>>>(&*values, 2.0f);

  auto first = std::make_unique<float>(0.0f);
  cudaMemcpy(first.get(), values.get(), sizeof(float), cudaMemcpyDeviceToHost);
  auto count = std::make_shared<int>(0);
  auto all = std::make_unique<float[]>(256);
  cudaMemcpy(all.get(), values.get(), 256 * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 256; ++i) *count += all[i] > 0.0f;
  std::printf("%f %d\n", *first, *count);

  float* memory = nullptr;
  cudaMallocManaged(&memory, 1024);
  std::shared_ptr<float> managed(memory, cudaFree);
  scale<<<1, 256>>>(managed.get(), 2.0f);
  cudaDeviceSynchronize();
  std::printf("%f\n", *managed);

  float* pinned = nullptr;
  cudaMallocHost(&pinned, 1024);
  std::unique_ptr<float, decltype(&cudaFreeHost)> kept(pinned, cudaFreeHost);
  *kept = 1.0f;
  scale<<<1, 256>>>(kept.get(), 2.0f);
  cudaDeviceSynchronize();
}
