#include "runtime/torch/virtual_cuda/sparse_view.h"

#include <ATen/SparseCsrTensorImpl.h>
#include <ATen/SparseTensorImpl.h>
#include <c10/core/DeviceGuard.h>

namespace placecheck::virtual_cuda {
namespace {

using c10::DispatchKey;
using c10::DispatchKeySet;
using Coo = at::SparseTensorImpl;
using Compressed = at::SparseCsrTensorImpl;

bool is_coo(const at::Tensor& tensor) { return tensor.layout() == c10::kSparse; }

Coo& coo(const at::Tensor& tensor) { return *static_cast<Coo*>(tensor.unsafeGetTensorImpl()); }

Compressed& compressed(const at::Tensor& tensor) {
  return *static_cast<Compressed*>(tensor.unsafeGetTensorImpl());
}

at::Tensor empty_like(const at::Tensor& form, c10::Device device) {
  const bool is_cpu = device.is_cpu();
  if (is_coo(form)) {
    const auto key = is_cpu ? DispatchKey::SparseCPU : DispatchKey::SparseCUDA;
    return at::detail::make_tensor<Coo>(DispatchKeySet(key), form.dtype());
  }
  const auto key = is_cpu ? DispatchKey::SparseCsrCPU : DispatchKey::SparseCsrCUDA;
  return at::detail::make_tensor<Compressed>(DispatchKeySet(key), device, form.layout(),
                                             form.dtype());
}

}  // namespace

bool is_sparse(const at::Tensor& tensor) {
  switch (tensor.layout()) {
    case c10::kSparse:
    case c10::kSparseCsr:
    case c10::kSparseCsc:
    case c10::kSparseBsr:
    case c10::kSparseBsc:
      return true;
    default:
      return false;
  }
}

SparseParts parts_of(const at::Tensor& sparse) {
  if (is_coo(sparse)) return {coo(sparse).indices(), coo(sparse).values()};
  const Compressed& impl = compressed(sparse);
  return {impl.compressed_indices(), impl.plain_indices(), impl.values()};
}

bool has_same_form(const at::Tensor& a, const at::Tensor& b) {
  if (a.sizes() != b.sizes()) return false;
  return !is_coo(a) || coo(a).coalesced() == coo(b).coalesced();
}

at::Tensor with_parts(const at::Tensor& form, c10::Device device, const Translation& translate) {
  // New sparse tensors are on the current device.
  const c10::OptionalDeviceGuard guard(device);
  at::Tensor result = empty_like(form, device);
  take_parts(result, form, translate);
  return result;
}

void take_parts(const at::Tensor& sparse, const at::Tensor& form, const Translation& translate) {
  if (is_coo(form)) {
    const Coo& from = coo(form);
    coo(sparse).raw_resize_(from.sparse_dim(), from.dense_dim(), form.sizes());
    coo(sparse).set_indices_and_values_unsafe(translate(from.indices()), translate(from.values()));
    coo(sparse).set_coalesced(from.coalesced());
    return;
  }
  const Compressed& from = compressed(form);
  compressed(sparse).set_member_tensors(translate(from.compressed_indices()),
                                        translate(from.plain_indices()), translate(from.values()),
                                        form.sizes());
}

}  // namespace placecheck::virtual_cuda
