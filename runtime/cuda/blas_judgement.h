// What a routine of cuBLAS breaks, whoever serves it: its handle, its operands, and on which side
// its scalars are. Each mistake is told (witness.h). Thread-safe.
#ifndef PLACECHECK_RUNTIME_CUDA_BLAS_JUDGEMENT_H_
#define PLACECHECK_RUNTIME_CUDA_BLAS_JUDGEMENT_H_

#include <initializer_list>
#include <optional>
#include <string_view>

#include "runtime/cuda/include/cublas_v2.h"

namespace placecheck::cuda {

struct BlasHandle {
  std::optional<int> device;  // where it was made
  cublasPointerMode_t mode = CUBLAS_POINTER_MODE_HOST;
};

struct BlasVerdict {
  bool fits_device = true;  // the handle is one of the current device
  bool is_reached = true;   // the device reaches what the routine reads and writes there
  bool is_readable = true;  // and the host what it reads and writes itself
};

// `operands` are memory that the current device uses; `scalars`, what scales and what is returned,
// are used by the side that the handle's pointer mode names. Lists of pointers are operands.
BlasVerdict judge_blas(const BlasHandle& handle, std::string_view routine,
                       std::initializer_list<const void*> operands,
                       std::initializer_list<const void*> scalars);

}  // namespace placecheck::cuda

#endif  // PLACECHECK_RUNTIME_CUDA_BLAS_JUDGEMENT_H_
