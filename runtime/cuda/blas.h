// The handles of cuBLAS. Thread-safe as far as cuBLAS is: a handle is used by one thread at a time.
#ifndef PLACECHECK_RUNTIME_CUDA_BLAS_H_
#define PLACECHECK_RUNTIME_CUDA_BLAS_H_

#include "runtime/cuda/include/cublas_v2.h"

struct cublasContext {
  int device = 0;
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
};

namespace placecheck::cuda {

// Whether it was made and not destroyed.
bool is_handle(cublasHandle_t handle);

}  // namespace placecheck::cuda

#endif  // PLACECHECK_RUNTIME_CUDA_BLAS_H_
