// An object selects the pointer mode of a handle while it lives.
#include <cublas_v2.h>
#include <cuda_runtime.h>

class PointerMode {
 public:
  PointerMode(cublasHandle_t handle, cublasPointerMode_t mode) : handle_(handle) {
    cublasGetPointerMode(handle_, &before_);
    cublasSetPointerMode(handle_, mode);
  }
  ~PointerMode() { cublasSetPointerMode(handle_, before_); }
  PointerMode(const PointerMode&) = delete;
  PointerMode& operator=(const PointerMode&) = delete;

 private:
  cublasHandle_t handle_;
  cublasPointerMode_t before_;
};

int main() {
  cublasHandle_t handle;
  cublasCreate(&handle);
  float *x, *y, *factor;
  float sum = 0;
  cudaMalloc(&x, 1024);
  cudaMalloc(&y, 1024);
  cudaMalloc(&factor, sizeof(float));
  {
    PointerMode mode(handle, CUBLAS_POINTER_MODE_DEVICE);
    cublasSscal(handle, 256, factor, x, 1);
  }
  cublasSdot(handle, 256, x, 1, y, 1, &sum);
  cublasDestroy(handle);
}
