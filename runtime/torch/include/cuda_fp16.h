// In place of a header of the CUDA toolkit: the half precision numbers that libtorch's own headers
// convert from and to, by their bits alone. Operations on them are kernels', which are not
// compiled.
#ifndef PLACECHECK_RUNTIME_TORCH_INCLUDE_CUDA_FP16_H_
#define PLACECHECK_RUNTIME_TORCH_INCLUDE_CUDA_FP16_H_

#if !defined(PLACECHECK_NO_CUDA_TOOLKIT) && __has_include(<cuda_runtime_api.h>)
#include_next <cuda_fp16.h>
#else

// NOLINTBEGIN: the names are NVIDIA's.
struct __half {
  unsigned short bits;
};
struct __half2 {
  __half x, y;
};
typedef __half half;
typedef __half2 half2;
// NOLINTEND

#endif
#endif  // PLACECHECK_RUNTIME_TORCH_INCLUDE_CUDA_FP16_H_
