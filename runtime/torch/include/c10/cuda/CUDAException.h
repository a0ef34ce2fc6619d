// In place of a header that CPU builds of libtorch lack, or that needs the CUDA toolkit: CUDA's
// codes as exceptions. Errors: c10::Error, in the words of a CUDA build.
#ifndef PLACECHECK_RUNTIME_TORCH_INCLUDE_C10_CUDA_CUDAEXCEPTION_H_
#define PLACECHECK_RUNTIME_TORCH_INCLUDE_C10_CUDA_CUDAEXCEPTION_H_

#if !defined(PLACECHECK_NO_CUDA_TOOLKIT) && __has_include(<cuda_runtime_api.h>)
#include_next <c10/cuda/CUDAException.h>
#else

#include <c10/util/Exception.h>
#include <cuda_runtime_api.h>

#define C10_CUDA_CHECK(EXPR)                                                      \
  do {                                                                            \
    const cudaError_t placecheck_code = (EXPR);                                   \
    if (placecheck_code != cudaSuccess) {                                         \
      [[maybe_unused]] const cudaError_t placecheck_cleared = cudaGetLastError(); \
      TORCH_CHECK(false, "CUDA error: ", cudaGetErrorString(placecheck_code));    \
    }                                                                             \
  } while (0)

#define C10_CUDA_CHECK_WARN(EXPR)                                                 \
  do {                                                                            \
    const cudaError_t placecheck_code = (EXPR);                                   \
    if (placecheck_code != cudaSuccess) {                                         \
      [[maybe_unused]] const cudaError_t placecheck_cleared = cudaGetLastError(); \
      TORCH_WARN("CUDA warning: ", cudaGetErrorString(placecheck_code));          \
    }                                                                             \
  } while (0)

#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())

#endif
#endif  // PLACECHECK_RUNTIME_TORCH_INCLUDE_C10_CUDA_CUDAEXCEPTION_H_
