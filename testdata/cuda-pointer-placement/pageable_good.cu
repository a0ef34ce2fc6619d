// Memory of the host is given to a kernel only where the device says that it reaches it.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdlib>

__global__ void count(int* values) { values[threadIdx.x] += 1; }

constexpr size_t kBytes = 64 * sizeof(int);

void by_properties() {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  int* values = nullptr;
  if (properties.pageableMemoryAccess) {
    values = static_cast<int*>(std::malloc(kBytes));
  } else {
    cudaMallocManaged(&values, kBytes);
  }
  count<<<1, 64>>>(values);
  cudaDeviceSynchronize();
  if (properties.pageableMemoryAccess) {
    std::free(values);
  } else {
    cudaFree(values);
  }
}

void by_attribute() {
  int reaches = 0;
  cudaDeviceGetAttribute(&reaches, cudaDevAttrPageableMemoryAccess, 0);
  int* values = static_cast<int*>(std::malloc(kBytes));
  if (reaches != 0) count<<<1, 64>>>(values);
  cudaDeviceSynchronize();
  std::free(values);
}

int main() {
  by_properties();
  by_attribute();
}
