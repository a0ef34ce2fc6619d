// cuBLAS handles: one for each thread and device, set to the stream it is wanted for.
#ifndef PLACECHECK_RUNTIME_BACKEND_CUDA_CUBLAS_HANDLES_H_
#define PLACECHECK_RUNTIME_BACKEND_CUDA_CUBLAS_HANDLES_H_

#include <cublas_v2.h>

namespace placecheck::runtime {

// The handle of the current device. Throws core::Error.
cublasHandle_t cublas_handle(void* stream);

// Throws core::Error for a status other than success.
void check_cublas(cublasStatus_t status);

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_BACKEND_CUDA_CUBLAS_HANDLES_H_
