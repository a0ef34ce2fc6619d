// Of which device streams and events are: those that the program has made through this library.
// Thread-safe.
#ifndef PLACECHECK_RUNTIME_CUDA_REAL_HANDLES_H_
#define PLACECHECK_RUNTIME_CUDA_REAL_HANDLES_H_

#include <optional>

#include "runtime/cuda/include/cuda_runtime_api.h"

namespace placecheck::cuda {

// A stream or an event that was made on a device; one that is given back.
void remember_handle(const void* handle, int device);
void forget_handle(const void* handle);

// None for others than those.
std::optional<int> device_of_handle(const void* handle);

// Judges work for `stream`, which is to be one of the current device; a default stream is.
void judge_stream(cudaStream_t stream, const char* operation);

}  // namespace placecheck::cuda

#endif  // PLACECHECK_RUNTIME_CUDA_REAL_HANDLES_H_
