// Sparse tensors of virtual devices as sparse tensors of the host, and back: their indices and
// values are tensors, which the caller translates.
//
// Ownership: results hold what they are made of. Threads: any. Errors: c10::Error for layouts that
// are not known.
#ifndef PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_SPARSE_VIEW_H_
#define PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_SPARSE_VIEW_H_

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/util/SmallVector.h>

#include <functional>

namespace placecheck::virtual_cuda {

// COO, and the compressed layouts: CSR, CSC, BSR, BSC.
bool is_sparse(const at::Tensor& tensor);

// The dense tensors that a sparse one is made of: indices, then values.
using SparseParts = c10::SmallVector<at::Tensor, 3>;
SparseParts parts_of(const at::Tensor& sparse);

// Whether two tensors of a layout have the same sizes and are coalesced alike.
bool has_same_form(const at::Tensor& a, const at::Tensor& b);

using Translation = std::function<at::Tensor(const at::Tensor& part)>;

// A sparse tensor of `device`'s kind with the form of `form` and its parts translated.
at::Tensor with_parts(const at::Tensor& form, c10::Device device, const Translation& translate);

// Gives `sparse` the form of `form`, and its parts translated.
void take_parts(const at::Tensor& sparse, const at::Tensor& form, const Translation& translate);

}  // namespace placecheck::virtual_cuda

#endif  // PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_SPARSE_VIEW_H_
