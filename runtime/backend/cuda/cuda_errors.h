// What the CUDA runtime returns, as errors in PyTorch's words.
#ifndef PLACECHECK_RUNTIME_BACKEND_CUDA_CUDA_ERRORS_H_
#define PLACECHECK_RUNTIME_BACKEND_CUDA_CUDA_ERRORS_H_

#include <cuda_runtime_api.h>

namespace placecheck::runtime {

[[noreturn]] void throw_cuda_error(cudaError_t status);

inline void check_cuda(cudaError_t status) {
  if (status != cudaSuccess) throw_cuda_error(status);
}

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_BACKEND_CUDA_CUDA_ERRORS_H_
