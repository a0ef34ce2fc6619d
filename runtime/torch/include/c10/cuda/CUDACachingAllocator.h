// In place of a header that CPU builds of libtorch lack, or that needs the CUDA toolkit: memory of
// the current device, from the allocator that serves CUDA in the process. Thread-safe.
#ifndef PLACECHECK_RUNTIME_TORCH_INCLUDE_C10_CUDA_CUDACACHINGALLOCATOR_H_
#define PLACECHECK_RUNTIME_TORCH_INCLUDE_C10_CUDA_CUDACACHINGALLOCATOR_H_

#if !defined(PLACECHECK_NO_CUDA_TOOLKIT) && __has_include(<cuda_runtime_api.h>)
#include_next <c10/cuda/CUDACachingAllocator.h>
#else

#include <c10/core/Allocator.h>
#include <c10/cuda/CUDAStream.h>

#include <cstddef>

namespace c10::cuda::CUDACachingAllocator {

// NOLINTBEGIN(readability-identifier-naming): the names are libtorch's.

// Owned by the process.
inline Allocator* get() { return GetAllocator(kCUDA); }

// To be given back to raw_delete().
inline void* raw_alloc(std::size_t bytes) { return get()->raw_allocate(bytes); }
inline void raw_delete(void* memory) { get()->raw_deallocate(memory); }
// Work is done when it is asked for: memory may be given back at once.
inline void recordStream(const DataPtr& /*memory*/, CUDAStream /*stream*/) {}
inline void emptyCache() {}

// NOLINTEND(readability-identifier-naming)

}  // namespace c10::cuda::CUDACachingAllocator

#endif
#endif  // PLACECHECK_RUNTIME_TORCH_INCLUDE_C10_CUDA_CUDACACHINGALLOCATOR_H_
