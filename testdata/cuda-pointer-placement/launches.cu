// Memory of the host in a launch, or given to cuBLAS.
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <vector>

__global__ void add(float* to, const float* from, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] += from[i];
}

struct Batch {
  std::vector<float> values;
  float* on_device = nullptr;
};

void vector_of_the_host(std::vector<float>& values) {
  float* to;
  cudaMalloc(&to, values.size() * sizeof(float));
  add<<<1, 256>>>(to, values.data(), 256);  // expect: cuda-pointer-placement
  cudaFree(to);
}

void heap() {
  float* from = (float*)malloc(1024);
  float* to;
  cudaMalloc(&to, 1024);
  add<<<1, 256>>>(to, from, 256);  // expect: cuda-pointer-placement
  cudaFree(to);
  free(from);
}

void arrays() {
  float from[256] = {};
  std::array<float, 256> other{};
  float* to;
  cudaMalloc(&to, 1024);
  add<<<1, 256>>>(to, from, 256);          // expect: cuda-pointer-placement
  add<<<1, 256>>>(to, other.data(), 256);  // expect: cuda-pointer-placement
  add<<<1, 256>>>(to, to, 256);
  cudaFree(to);
}

void one_number() {
  float by = 2.0f;
  float* to;
  cudaMalloc(&to, 1024);
  add<<<1, 1>>>(to, &by, 1);  // expect: cuda-pointer-placement
  cudaFree(to);
}

void launch(float* to, const float* from, int count) {
  add<<<(count + 255) / 256, 256>>>(to, from, count);  // expect: cuda-pointer-placement
}

void member(Batch& batch) {
  cudaMalloc(&batch.on_device, 1024);
  launch(batch.on_device, batch.on_device, 256);
}

void owned() {
  std::unique_ptr<float[]> from(new float[256]);
  float* to;
  cudaMalloc(&to, 1024);
  launch(to, from.get(), 256);
  cudaFree(to);
}

void by_the_runtime() {
  float *to, *from;
  int count = 256;
  cudaMalloc(&to, 1024);
  cudaMallocHost(&from, 1024);
  void* lawful[] = {&to, &from, &count};
  cudaLaunchKernel((const void*)add, dim3(1), dim3(256), lawful, 0, 0);
  cudaFree(to);
  cudaFreeHost(from);
}

void blas(const std::vector<float>& h_a) {
  cublasHandle_t handle;
  cublasCreate(&handle);
  float *d_b, *d_c;
  float one = 1.0f, zero = 0.0f;
  cudaMalloc(&d_b, 1024);
  cudaMalloc(&d_c, 1024);
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 16, 16, 16, &one,  // expect: cuda-pointer-placement
              h_a.data(), 16, d_b, 16, &zero, d_c, 16);
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 16, 16, 16, &one, d_b, 16, d_b, 16, &zero, d_c, 16);
  std::vector<float> h_x(16);
  cublasSaxpy(handle, 16, &one, d_b, 1, h_x.data(), 1);  // expect: cuda-pointer-placement
  float sum;
  cublasSdot(handle, 16, d_b, 1, d_c, 1, &sum);
  cudaMemset(h_x.data(), 0, 64);  // expect: cuda-pointer-placement
  cudaMemset(d_c, 0, 64);
  cublasDestroy(handle);
}

int main() {
  std::vector<float> values(256);
  vector_of_the_host(values);
  heap();
  arrays();
  one_number();
  Batch batch;
  member(batch);
  owned();
  by_the_runtime();
  blas(values);
}
