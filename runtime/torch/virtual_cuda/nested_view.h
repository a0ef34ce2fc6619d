// Nested tensors of strided layout, which nn.TransformerEncoder makes of a padded batch: one
// storage, and the parts' sizes, strides and offsets, which are always the host's.
#ifndef PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_NESTED_VIEW_H_
#define PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_NESTED_VIEW_H_

#include <ATen/core/Tensor.h>
#include <c10/core/Storage.h>

namespace placecheck::virtual_cuda {

// False for those that Python implements (torch.jagged): kernels never see them.
bool is_nested(const at::Tensor& tensor);

// `form` with another storage, which says whether the result is of the host or of a device.
at::Tensor nested_with_storage(const at::Tensor& form, c10::Storage&& storage);

}  // namespace placecheck::virtual_cuda

#endif  // PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_NESTED_VIEW_H_
