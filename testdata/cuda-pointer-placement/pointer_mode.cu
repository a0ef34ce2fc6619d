// Scalars of cuBLAS: of the host, or of a device, as the handle's pointer mode says.
#include <cublas_v2.h>
#include <cuda_runtime.h>

int main() {
  cublasHandle_t handle;
  cublasCreate(&handle);
  float *x, *y, *d_by;
  float by = 2.0f, sum;
  cudaMalloc(&x, 1024);
  cudaMalloc(&y, 1024);
  cudaMalloc(&d_by, sizeof(float));
  cublasSaxpy(handle, 256, &by, x, 1, y, 1);
  cublasSscal(handle, 256, d_by, x, 1);  // expect: cuda-pointer-placement
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
  cublasSaxpy(handle, 256, &by, x, 1, y, 1);  // expect: cuda-pointer-placement
  cublasSscal(handle, 256, d_by, x, 1);
  cublasSdot(handle, 256, x, 1, y, 1, &sum);  // expect: cuda-pointer-placement
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
  cublasSdot(handle, 256, x, 1, y, 1, &sum);
  cublasDestroy(handle);
}
