#include "runtime/torch/python/host_memory.h"

#include "runtime/torch/python/has_process_groups.h"

#ifdef PLACECHECK_HAS_PROCESS_GROUPS

#include <ATen/ATen.h>

namespace placecheck::process_group {

const void* read_pointer(const at::Tensor& tensor) {
#ifdef PLACECHECK_GROUPS_HAVE_BACKENDS
  return tensor.const_data_ptr();
#else
  return tensor.data_ptr();
#endif
}

at::Tensor memory_of(const at::Tensor& tensor) {
  if (tensor.numel() == 0) return at::empty({0}, at::dtype(tensor.scalar_type()));
  return at::from_blob(
      const_cast<void*>(read_pointer(tensor)), {tensor.numel()}, [tensor](void*) {},
      at::TensorOptions().dtype(tensor.scalar_type()));
}

at::Tensor host_view(const at::Tensor& tensor) {
  if (tensor.numel() == 0) return at::empty(tensor.sizes(), at::dtype(tensor.scalar_type()));
  return at::from_blob(
      const_cast<void*>(read_pointer(tensor)), tensor.sizes(), tensor.strides(), [tensor](void*) {},
      at::TensorOptions().dtype(tensor.scalar_type()));
}

at::Tensor as_real(const at::Tensor& tensor) {
  return tensor.is_complex() ? at::view_as_real(tensor) : tensor;
}

Landing::Landing(const at::Tensor& tensor) {
  if (tensor.is_contiguous()) {
    memory_ = memory_of(tensor);
  } else {
    strided_ = host_view(tensor);
    memory_ = at::empty({tensor.numel()}, strided_.options());
  }
}

void Landing::finish() const {
  if (strided_.defined()) strided_.copy_(memory_.view(strided_.sizes()));
}
at::Tensor outgoing(const at::Tensor& tensor) {
  return tensor.is_contiguous() ? memory_of(tensor) : host_view(tensor).contiguous().view({-1});
}

}  // namespace placecheck::process_group

#endif  // PLACECHECK_HAS_PROCESS_GROUPS
