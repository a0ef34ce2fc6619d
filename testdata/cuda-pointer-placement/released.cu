// Memory is given back by a call that does not belong to it.
#include <cuda_runtime.h>

#include <cstdlib>
#include <vector>

struct Tensor {
  float* host;
  float* device;
};

void destroy(Tensor& tensor) {
  cudaFree(tensor.host);  // expect: cuda-pointer-placement
  free(tensor.device);    // expect: cuda-pointer-placement
}

int main() {
  float* heap = (float*)malloc(64);
  float* array = new float[16];
  float *device, *pinned, *managed, *ordered;
  cudaMalloc(&device, 64);
  cudaMallocHost(&pinned, 64);
  cudaMallocManaged(&managed, 64);
  cudaMallocAsync(&ordered, 64, 0);
  cudaFree(heap);        // expect: cuda-pointer-placement
  delete[] device;       // expect: cuda-pointer-placement
  cudaFree(pinned);      // expect: cuda-pointer-placement
  free(pinned);          // expect: cuda-pointer-placement
  cudaFreeHost(device);  // expect: cuda-pointer-placement
  free(ordered);         // expect: cuda-pointer-placement

  free(heap);
  delete[] array;
  cudaFree(device);
  cudaFreeHost(pinned);
  cudaFree(managed);
  cudaFreeAsync(ordered, 0);
  cudaFree(nullptr);
  cudaFree(0);

  Tensor tensor;
  tensor.host = new float[4];
  cudaMalloc(&tensor.device, 16);
  destroy(tensor);
}
