#include "runtime/torch/virtual_cuda/capture.h"

// Python calls it when a CUDA graph's capture begins and ends on this thread.
extern "C" [[gnu::visibility("default")]] void placecheck_set_capturing(int is_capturing) noexcept {
  placecheck::virtual_cuda::is_capturing = is_capturing != 0;
}
