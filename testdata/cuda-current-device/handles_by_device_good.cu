// What is looked up by the device that is current, and made there where it is missing.
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <map>
#include <memory>

struct Context {
  cublasHandle_t blas = nullptr;
  Context() { cublasCreate(&blas); }
  ~Context() { cublasDestroy(blas); }
};

Context& context_of_current() {
  static std::map<int, std::unique_ptr<Context>> contexts;
  int device = 0;
  cudaGetDevice(&device);
  auto& context = contexts[device];
  if (!context) context = std::make_unique<Context>();
  return *context;
}

struct Vector {
  int device;
  float* data = nullptr;
  explicit Vector(int on) : device(on) {
    cudaSetDevice(device);
    cudaMalloc(&data, 16 * sizeof(float));
  }
  ~Vector() { cudaFree(data); }
  void scale(float by) {
    cudaSetDevice(device);
    cublasSscal(context_of_current().blas, 16, &by, data, 1);
  }
};

int main() {
  Vector first(0);
  Vector second(1);
  for (int step = 0; step < 2; ++step) {
    first.scale(2);
    second.scale(3);
  }
}
