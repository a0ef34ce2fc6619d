#include "runtime/torch/virtual_cuda/nested_view.h"

#include <ATen/NestedTensorImpl.h>
#include <c10/core/DispatchKeySet.h>

#include <utility>

#include "runtime/torch/virtual_cuda/release.h"

namespace placecheck::virtual_cuda {
namespace {

using Nested = at::native::NestedTensorImpl;

c10::DispatchKeySet keys_on(const at::Tensor& form, bool is_host) {
  c10::DispatchKeySet keys = form.key_set();
  for (const c10::BackendComponent backend :
       {c10::BackendComponent::CPUBit, c10::BackendComponent::CUDABit}) {
    keys = keys.remove_backend(backend);
  }
  return keys | c10::DispatchKeySet(is_host ? c10::DispatchKey::NestedTensorCPU
                                            : c10::DispatchKey::NestedTensorCUDA);
}

}  // namespace

bool is_nested(const at::Tensor& tensor) {
  return tensor.is_nested() && tensor.layout() == c10::kStrided;
}

at::Tensor nested_with_storage(const at::Tensor& form, c10::Storage&& storage) {
  const auto& nested = *static_cast<const Nested*>(form.unsafeGetTensorImpl());
  const c10::DispatchKeySet keys = keys_on(form, storage.device().is_cpu());
#if PLACECHECK_TORCH_AT_LEAST(2, 1)
  return at::detail::make_tensor<Nested>(std::move(storage), keys, form.dtype(),
                                         nested.get_nested_sizes(), nested.get_nested_strides(),
                                         nested.get_storage_offsets());
#else
  return at::detail::make_tensor<Nested>(
      std::move(storage), keys, form.dtype(), nested.get_nested_size_tensor(),
      nested.get_nested_stride_tensor(), std::vector<std::int64_t>(nested.get_offsets()));
#endif
}

}  // namespace placecheck::virtual_cuda
