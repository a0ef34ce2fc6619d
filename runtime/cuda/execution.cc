#include "runtime/cuda/execution.h"

#include <cstdio>
#include <mutex>

namespace placecheck::cuda {

void note_unexecuted(std::string_view what) {
  static std::once_flag once;
  std::call_once(once, [what] {
    std::fprintf(
        stderr,
        "placecheck: %.*s is checked, but not executed: virtual GPUs run no kernels, cuBLAS "
        "routines and NCCL collectives, and their results are missing\n",
        static_cast<int>(what.size()), what.data());
  });
}

}  // namespace placecheck::cuda
