// What the routines of cuBLAS share: the handle, and the judgement of handle and operands. Nothing
// is computed. Thread-safe as far as cuBLAS is: a handle is used by one thread at a time.
#ifndef PLACECHECK_RUNTIME_CUDA_BLAS_H_
#define PLACECHECK_RUNTIME_CUDA_BLAS_H_

#include <initializer_list>
#include <string_view>

#include "runtime/cuda/include/cublas_v2.h"

struct cublasContext {
  int device = 0;
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
};

namespace placecheck::cuda {

// A routine runs on the current device, which has to be the handle's; its operands are memory that
// this device reaches.
cublasStatus_t run(cublasHandle_t handle, std::string_view routine,
                   std::initializer_list<const void*> operands);

// The same with a result, on whichever side; on the host it is written before the routine returns.
template <typename T>
cublasStatus_t run_for(cublasHandle_t handle, std::string_view routine,
                       std::initializer_list<const void*> operands, T* result) {
  const cublasStatus_t status = run(handle, routine, operands);
  const bool writes =
      status == CUBLAS_STATUS_SUCCESS && handle->pointer_mode == CUBLAS_POINTER_MODE_HOST;
  if (writes && result != nullptr) *result = T{};
  return status;
}

}  // namespace placecheck::cuda

#endif  // PLACECHECK_RUNTIME_CUDA_BLAS_H_
