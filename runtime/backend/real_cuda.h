// The way to real GPUs, where this build has one.
#ifndef PLACECHECK_RUNTIME_BACKEND_REAL_CUDA_H_
#define PLACECHECK_RUNTIME_BACKEND_REAL_CUDA_H_

#include <memory>

#include "runtime/backend/backend.h"

namespace placecheck::runtime {

// Null where this build has no CUDA, or this machine no driver or no GPU.
std::unique_ptr<Backend> make_real_cuda_backend();

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_BACKEND_REAL_CUDA_H_
