#include "runtime/tensor/tensor.h"

#include <algorithm>
#include <utility>

#include "runtime/autograd/engine.h"
#include "runtime/autograd/node.h"
#include "runtime/backend/devices.h"
#include "runtime/core/check.h"
#include "runtime/tensor/tensor_impl.h"

namespace placecheck::runtime {

namespace detail {
thread_local constinit ReplicaScope* replica_scope = nullptr;
}

Tensor make_tensor(const Shape& sizes, ScalarType dtype, const Device& device, bool is_pinned) {
  auto impl = std::make_shared<TensorImpl>();
  impl->numel = element_count(sizes);
  std::size_t bytes = static_cast<std::size_t>(impl->numel) * size_of(dtype);
  impl->storage = std::make_shared<Storage>(resolved(device), bytes, is_pinned);
  impl->sizes = sizes;
  impl->strides = contiguous_strides(sizes);
  impl->dtype = dtype;
  return Tensor(std::move(impl));
}

namespace {

bool is_row_major(const Shape& sizes, const Shape& strides) {
  std::int64_t expected = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    if (sizes[i] == 1) continue;
    if (strides[i] != expected) return false;
    expected *= sizes[i];
  }
  return true;
}

}  // namespace

Tensor make_view(const Tensor& of, const Shape& sizes, const Shape& strides, std::int64_t offset) {
  const TensorImpl& source = of.impl();
  auto impl = std::make_shared<TensorImpl>();
  impl->storage = source.storage;
  impl->offset = offset;
  impl->sizes = sizes;
  impl->strides = strides;
  impl->numel = element_count(sizes);
  impl->dtype = source.dtype;
  impl->is_contiguous = impl->numel == 0 || is_row_major(sizes, strides);
  impl->is_view = true;
  return Tensor(std::move(impl));
}

void bump_version(const Tensor& tensor) { tensor.impl().storage->bump_version(); }
std::uint32_t version_of(const Tensor& tensor) { return tensor.impl().storage->version(); }

TensorImpl& Tensor::impl() const {
  check(impl_ != nullptr, "tensor does not have a device");
  return *impl_;
}

const Shape& Tensor::sizes() const { return impl().sizes; }
const Shape& Tensor::strides() const { return impl().strides; }

std::int64_t Tensor::size(std::int64_t dim) const {
  check<IndexError>(this->dim() > 0, "Dimension specified as ", dim,
                    " but tensor has no dimensions");
  return sizes()[static_cast<std::size_t>(wrap_dim(dim, this->dim()))];
}

std::int64_t Tensor::dim() const { return static_cast<std::int64_t>(sizes().size()); }
std::int64_t Tensor::numel() const { return impl().numel; }
ScalarType Tensor::dtype() const { return impl().dtype; }
Device Tensor::device() const { return impl().storage->device(); }
TensorOptions Tensor::options() const { return TensorOptions(dtype()).device(device()); }
bool Tensor::is_contiguous() const { return impl().is_contiguous; }
bool Tensor::is_pinned() const { return impl().storage->is_pinned(); }

std::string Tensor::type_name() const {
  return (is_cuda() ? "CUDA" : "CPU") + std::string(row_of(dtype()).name) + "Type";
}

void* Tensor::data_ptr() const {
  const TensorImpl& self = impl();
  return self.storage->data() + static_cast<std::size_t>(self.offset) * size_of(self.dtype);
}

void Tensor::check_type(ScalarType type) const {
  check(dtype() == type, "expected scalar type ", row_of(type).name, " but found ",
        row_of(dtype()).name);
}

bool Tensor::is_leaf() const { return impl().grad_fn == nullptr; }
bool Tensor::requires_grad() const { return impl().requires_grad || impl().grad_fn != nullptr; }

Tensor& Tensor::requires_grad_(bool requires_grad) {
  check(is_leaf() || requires_grad,
        "you can only change requires_grad flags of leaf variables. If you want to use a computed "
        "variable in a subgraph that doesn't require differentiation use var_no_grad = "
        "var.detach().");
  check(!requires_grad || is_floating(dtype()),
        "only Tensors of floating point dtype can require gradients");
  if (is_leaf()) impl().requires_grad = requires_grad;
  return *this;
}

std::shared_ptr<autograd::Node> Tensor::grad_fn() const { return impl().grad_fn; }
const Tensor& Tensor::grad() const { return impl().grad; }
Tensor& Tensor::mutable_grad() const { return impl().grad; }

void Tensor::backward(const Tensor& gradient, std::optional<bool> retain_graph,
                      bool create_graph) const {
  autograd::backward({*this}, {gradient}, retain_graph, create_graph);
}

Tensor Tensor::detach() const {
  const TensorImpl& self = impl();
  return make_view(*this, self.sizes, self.strides, self.offset);
}

// The same TensorImpl with other data: all handles, and the optimizer's, follow.
void Tensor::set_data(const Tensor& data) const {
  TensorImpl& self = impl();
  const TensorImpl& other = data.impl();
  self.storage = other.storage;
  self.offset = other.offset;
  self.sizes = other.sizes;
  self.strides = other.strides;
  self.numel = other.numel;
  self.dtype = other.dtype;
  self.is_contiguous = other.is_contiguous;
}

void Tensor::zero_grad() const { mutable_grad() = Tensor(); }

}  // namespace placecheck::runtime
