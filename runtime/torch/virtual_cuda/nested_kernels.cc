#include <ATen/ops/_to_copy_native.h>
#include <ATen/ops/copy_native.h>

#include "runtime/torch/virtual_cuda/kernels.h"
#include "runtime/torch/virtual_cuda/release.h"

namespace placecheck::virtual_cuda {

// libtorch's own copy the parts' memory by operators of dense tensors, which know the devices.
void add_nested_copies([[maybe_unused]] torch::Library& library) {
#if PLACECHECK_TORCH_AT_LEAST(2, 6)
  library.impl("_to_copy", TORCH_FN(at::native::_to_copy_nested));
  library.impl("copy_", TORCH_FN(at::native::copy_nested_));
#endif
}

}  // namespace placecheck::virtual_cuda
