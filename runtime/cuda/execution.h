// What is asked of a device and not executed: kernels, cuBLAS routines, collectives.
#ifndef PLACECHECK_RUNTIME_CUDA_EXECUTION_H_
#define PLACECHECK_RUNTIME_CUDA_EXECUTION_H_

#include <string_view>

namespace placecheck::cuda {

// Says so on stderr, once in a process: what the program computes is not right from `what` on.
// Thread-safe.
void note_unexecuted(std::string_view what);

}  // namespace placecheck::cuda

#endif  // PLACECHECK_RUNTIME_CUDA_EXECUTION_H_
