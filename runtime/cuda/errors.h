// What calls of the CUDA runtime return. The last error is each thread's own; one that leaves a
// device unusable is returned by every later call of the process. Thread-safe.
#ifndef PLACECHECK_RUNTIME_CUDA_ERRORS_H_
#define PLACECHECK_RUNTIME_CUDA_ERRORS_H_

#include "runtime/cuda/include/cuda_runtime_api.h"

namespace placecheck::cuda {

// Remembers an error, and returns what the call is to return.
cudaError_t finish(cudaError_t error);

// From now on every call returns it.
void leave_unusable(cudaError_t error);

}  // namespace placecheck::cuda

#endif  // PLACECHECK_RUNTIME_CUDA_ERRORS_H_
