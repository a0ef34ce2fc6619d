// Whether the libtorch that this is compiled against has what a process group is made of, in builds
// with torch.distributed: from 2.6 on groups have backends; in 1.13 a group is one.
#ifndef PLACECHECK_RUNTIME_TORCH_PYTHON_HAS_PROCESS_GROUPS_H_
#define PLACECHECK_RUNTIME_TORCH_PYTHON_HAS_PROCESS_GROUPS_H_

#include "runtime/torch/virtual_cuda/release.h"

#if PLACECHECK_TORCH_AT_LEAST(2, 6)
#if __has_include(<torch/csrc/distributed/c10d/Backend.hpp>)
#define PLACECHECK_HAS_PROCESS_GROUPS 1
#define PLACECHECK_GROUPS_HAVE_BACKENDS 1
#endif
#elif PLACECHECK_TORCH_AT_LEAST(1, 13) && !PLACECHECK_TORCH_AT_LEAST(2, 0)
#if __has_include(<torch/csrc/distributed/c10d/ProcessGroup.hpp>)
#define PLACECHECK_HAS_PROCESS_GROUPS 1
#endif
#endif

#endif  // PLACECHECK_RUNTIME_TORCH_PYTHON_HAS_PROCESS_GROUPS_H_
