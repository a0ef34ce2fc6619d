// A kernel runs on one device and is given memory of another.
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                              \
  do {                                                           \
    cudaError_t status = (call);                                 \
    if (status != cudaSuccess) {                                 \
      fprintf(stderr, "%s\n", cudaGetErrorString(status));       \
      exit(1);                                                   \
    }                                                            \
  } while (0)

__global__ void scale(float* values, float by) { values[threadIdx.x] *= by; }

void plain() {
  float* first;
  CHECK(cudaSetDevice(0));
  CHECK(cudaMalloc(&first, 1024));
  CHECK(cudaSetDevice(1));
  scale<<<1, 256>>>(first, 2.0f);  // expect: cuda-current-device
  CHECK(cudaSetDevice(0));
  scale<<<1, 256>>>(first, 2.0f);
  CHECK(cudaFree(first));
}

// Without a selection the first device is current.
void without_selection() {
  float* values;
  CHECK(cudaMalloc(&values, 1024));
  CHECK(cudaSetDevice(1));
  scale<<<1, 256>>>(values, 2.0f);  // expect: cuda-current-device
  CHECK(cudaFree(values));
  CHECK(cudaSetDevice(0));
}

float* allocate(int device, size_t bytes) {
  float* pointer;
  CHECK(cudaSetDevice(device));
  CHECK(cudaMalloc(&pointer, bytes));
  return pointer;
}

// The helper leaves the other device current.
void after_a_helper() {
  float* first = allocate(0, 1024);
  float* second = allocate(1, 1024);
  scale<<<1, 256>>>(second, 2.0f);
  scale<<<1, 256>>>(first, 2.0f);  // expect: cuda-current-device
  CHECK(cudaSetDevice(0));
}

struct Card {
  int id;
  float* values;
  void select() const { cudaSetDevice(id); }
  void prepare() {
    select();
    cudaMalloc(&values, 1024);
  }
};

void members() {
  Card a{0, nullptr}, b{1, nullptr};
  a.prepare();
  b.prepare();
  scale<<<1, 256>>>(a.values, 2.0f);  // expect: cuda-current-device
  a.select();
  scale<<<1, 256>>>(a.values, 2.0f);
  cudaSetDevice(0);
}

void blas() {
  float one = 1.0f;
  float *x, *y;
  CHECK(cudaSetDevice(1));
  CHECK(cudaMalloc(&x, 1024));
  CHECK(cudaSetDevice(0));
  CHECK(cudaMalloc(&y, 1024));
  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasSaxpy(handle, 256, &one, x, 1, y, 1);  // expect: cuda-current-device
  cublasSaxpy(handle, 256, &one, y, 1, y, 1);
  cublasDestroy(handle);
}

int main() {
  plain();
  without_selection();
  after_a_helper();
  members();
  blas();
}
