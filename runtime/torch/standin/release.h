// Where the releases of PyTorch differ in what a stand-in has to define. What a new release needs
// is one line here, and the definition beside the others.
#ifndef PLACECHECK_RUNTIME_TORCH_STANDIN_RELEASE_H_
#define PLACECHECK_RUNTIME_TORCH_STANDIN_RELEASE_H_

#include <torch/version.h>

#define PLACECHECK_TORCH_AT_LEAST(major, minor) \
  (TORCH_VERSION_MAJOR > (major) ||             \
   (TORCH_VERSION_MAJOR == (major) && TORCH_VERSION_MINOR >= (minor)))

// CUDAStream::query and synchronize are functions of the library; before, they are inline.
#define PLACECHECK_HAS_STREAM_QUERY PLACECHECK_TORCH_AT_LEAST(2, 11)
// CUDAAllocator tells the segments that may still grow.
#define PLACECHECK_HAS_SEGMENT_SIZES PLACECHECK_TORCH_AT_LEAST(2, 10)
// CUDAAllocator has observers of allocations that were refused before memory ran out.
#define PLACECHECK_HAS_REJECTION_OBSERVERS PLACECHECK_TORCH_AT_LEAST(2, 12)
// Checks of CUDA's codes take the driver's log.
#define PLACECHECK_HAS_ERROR_LOG PLACECHECK_TORCH_AT_LEAST(2, 14)

#endif  // PLACECHECK_RUNTIME_TORCH_STANDIN_RELEASE_H_
