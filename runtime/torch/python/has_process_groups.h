// Whether the libtorch that this is compiled against has what a process group is made of: from 2.6
// on c10d has backends, in builds with torch.distributed.
#ifndef PLACECHECK_RUNTIME_TORCH_PYTHON_HAS_PROCESS_GROUPS_H_
#define PLACECHECK_RUNTIME_TORCH_PYTHON_HAS_PROCESS_GROUPS_H_

#include "runtime/torch/virtual_cuda/release.h"

#if PLACECHECK_TORCH_AT_LEAST(2, 6)
#if __has_include(<torch/csrc/distributed/c10d/Backend.hpp>)
#define PLACECHECK_HAS_PROCESS_GROUPS 1
#endif
#endif

#endif  // PLACECHECK_RUNTIME_TORCH_PYTHON_HAS_PROCESS_GROUPS_H_
