// Which release of libtorch this is compiled against.
#ifndef PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_RELEASE_H_
#define PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_RELEASE_H_

#include <torch/version.h>

#define PLACECHECK_TORCH_AT_LEAST(major, minor) \
  (TORCH_VERSION_MAJOR > (major) ||             \
   (TORCH_VERSION_MAJOR == (major) && TORCH_VERSION_MINOR >= (minor)))

#endif  // PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_RELEASE_H_
