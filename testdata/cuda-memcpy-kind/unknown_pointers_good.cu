// What nobody knows is not reported: parameters, other libraries' memory, own allocators.
#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

float* from_elsewhere(size_t count);
void open_handle(void** pointer);

template <typename T>
struct ManagedAllocator {
  using value_type = T;
  T* allocate(size_t count) {
    T* pointer;
    cudaMallocManaged(&pointer, count * sizeof(T));
    return pointer;
  }
  void deallocate(T* pointer, size_t) { cudaFree(pointer); }
};

class Managed {
 public:
  void* operator new[](size_t size) {
    void* pointer;
    cudaMallocManaged(&pointer, size);
    return pointer;
  }
  void operator delete[](void* pointer) { cudaFree(pointer); }
  float value[4];
};

void of_a_caller(float* to, const float* from, size_t bytes, bool up) {
  cudaMemcpy(to, from, bytes, up ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost);
  cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost);
}

void of_a_library(float* d) {
  cudaMemcpy(from_elsewhere(4), d, 16, cudaMemcpyDeviceToDevice);
  void* shared;
  open_handle(&shared);
  cudaMemcpy(shared, d, 16, cudaMemcpyDeviceToDevice);
}

void with_an_allocator() {
  std::vector<float, ManagedAllocator<float>> values(16);
  float* d;
  cudaMalloc(&d, 64);
  cudaMemcpy(values.data(), d, 64, cudaMemcpyDeviceToDevice);
  cudaMemcpy(&values[0], d, 64, cudaMemcpyDeviceToDevice);
  Managed* objects = new Managed[4];
  cudaMemcpy(objects, d, 64, cudaMemcpyDeviceToDevice);
  delete[] objects;
}

cudaMemcpyKind kind_of(const void* to, const void* from);

void with_a_kind_from_elsewhere(float* h) {
  float* d;
  cudaMalloc(&d, 64);
  cudaMemcpy(d, h, 64, kind_of(d, h));
}

int main() { with_an_allocator(); }
