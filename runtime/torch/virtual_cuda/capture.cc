#include "runtime/torch/virtual_cuda/capture.h"

namespace placecheck::virtual_cuda {
namespace {

thread_local bool captures = false;

}  // namespace

bool is_capturing() noexcept { return captures; }

}  // namespace placecheck::virtual_cuda

void placecheck_set_capturing(int is_capturing) noexcept {
  placecheck::virtual_cuda::captures = is_capturing != 0;
}
