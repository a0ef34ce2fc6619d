// Views: other sizes and strides over the same memory.
#include "runtime/autograd/node.h"
#include "runtime/core/check.h"
#include "runtime/tensor/functions.h"
#include "runtime/tensor/tensor_impl.h"

namespace placecheck::runtime {
namespace {

using autograd::is_recorded;
using autograd::Pass;
using autograd::record;

std::size_t at(std::int64_t dim) { return static_cast<std::size_t>(dim); }

// The same elements in the same order: the gradient is given the input's shape again.
Tensor reshaped(const char* name, const Tensor& self, const Shape& sizes, const Shape& strides) {
  Tensor out = make_view(self, sizes, strides, self.impl().offset);
  if (is_recorded(self)) {
    record(name, {out}, {self},
           [back = self.sizes()](Pass& pass) { pass.give(0, pass.grad().reshape(back)); });
  }
  return out;
}

// Puts a gradient of a part where the part was; the rest is zero.
Tensor padded(const Tensor& grad, const Shape& sizes, std::int64_t dim, std::int64_t start) {
  Tensor whole = zeros(sizes, grad.options());
  NoGradGuard no_grad;
  whole.narrow(dim, start, grad.size(dim)).copy_(grad);
  return whole;
}

Tensor part(const Tensor& self, std::int64_t dim, std::int64_t start, std::int64_t length) {
  const TensorImpl& impl = self.impl();
  Shape sizes = impl.sizes;
  sizes[at(dim)] = length;
  return make_view(self, sizes, impl.strides, impl.offset + start * impl.strides[at(dim)]);
}

// The gradient of narrow(); itself an operation, for gradients of gradients.
Tensor narrow_backward(const Tensor& grad, const Shape& sizes, std::int64_t dim,
                       std::int64_t start) {
  Tensor out = padded(grad.detach(), sizes, dim, start);
  if (is_recorded(grad)) {
    record("NarrowBackwardBackward0", {out}, {grad},
           [dim, start, length = grad.size(dim)](Pass& pass) {
             pass.give(0, pass.grad().narrow(dim, start, length));
           });
  }
  return out;
}

}  // namespace

Tensor Tensor::view(const Shape& sizes) const {
  Shape wanted = infer_size(sizes, numel());
  check(is_contiguous(),
        "view size is not compatible with input tensor's size and stride (at least one dimension "
        "spans across two contiguous subspaces). Use .reshape(...) instead.");
  return reshaped("ViewBackward0", *this, wanted, contiguous_strides(wanted));
}

Tensor Tensor::reshape(const Shape& sizes) const { return contiguous().view(sizes); }

Tensor Tensor::flatten(std::int64_t start_dim, std::int64_t end_dim) const {
  if (dim() == 0) return reshape({1});
  std::int64_t first = wrap_dim(start_dim, dim());
  std::int64_t last = wrap_dim(end_dim, dim());
  check(first <= last, "flatten() has invalid args: start_dim cannot come after end_dim");
  Shape result;
  std::int64_t joined = 1;
  for (std::int64_t d = 0; d < dim(); ++d) {
    if (d >= first && d <= last) joined *= size(d);
    if (d == last) result.push_back(joined);
    if (d < first || d > last) result.push_back(size(d));
  }
  return reshape(result);
}

Tensor Tensor::unsqueeze(std::int64_t dim) const {
  std::int64_t where = wrap_dim(dim, this->dim() + 1);
  Shape new_sizes = sizes();
  Shape new_strides = strides();
  std::int64_t stride = where < this->dim() ? sizes()[at(where)] * strides()[at(where)] : 1;
  new_sizes.insert(at(where), 1);
  new_strides.insert(at(where), stride);
  return reshaped("UnsqueezeBackward0", *this, new_sizes, new_strides);
}

Tensor Tensor::squeeze(std::int64_t dim) const {
  std::int64_t where = wrap_dim(dim, this->dim());
  if (this->dim() == 0 || sizes()[at(where)] != 1) return *this;
  Shape new_sizes = sizes();
  Shape new_strides = strides();
  new_sizes.erase(at(where));
  new_strides.erase(at(where));
  return reshaped("SqueezeBackward1", *this, new_sizes, new_strides);
}

Tensor Tensor::transpose(std::int64_t a, std::int64_t b) const {
  std::int64_t first = wrap_dim(a, dim());
  std::int64_t second = wrap_dim(b, dim());
  Shape new_sizes = sizes();
  Shape new_strides = strides();
  std::swap(new_sizes[at(first)], new_sizes[at(second)]);
  std::swap(new_strides[at(first)], new_strides[at(second)]);
  Tensor out = make_view(*this, new_sizes, new_strides, impl().offset);
  if (is_recorded(*this)) {
    record("TransposeBackward0", {out}, {*this},
           [first, second](Pass& pass) { pass.give(0, pass.grad().transpose(first, second)); });
  }
  return out;
}

Tensor Tensor::t() const {
  check(dim() <= 2, "t() expects a tensor with <= 2 dimensions, but self is ", dim(), "D");
  return dim() < 2 ? *this : transpose(0, 1);
}

Tensor Tensor::permute(const Shape& dims) const {
  check(static_cast<std::int64_t>(dims.size()) == dim(),
        "permute(sparse_coo): number of dimensions in the tensor input does not match the length "
        "of the desired ordering of dimensions i.e. input.dim() = ",
        dim(), " is not equal to len(dims) = ", dims.size());
  Shape new_sizes = sizes();
  Shape new_strides = strides();
  Shape inverse = std::vector<std::int64_t>(dims.size(), -1);
  for (std::size_t i = 0; i < dims.size(); ++i) {
    std::int64_t from = wrap_dim(dims[i], dim());
    check(inverse[at(from)] == -1, "permute(): duplicate dims are not allowed.");
    new_sizes[i] = sizes()[at(from)];
    new_strides[i] = strides()[at(from)];
    inverse[at(from)] = static_cast<std::int64_t>(i);
  }
  Tensor out = make_view(*this, new_sizes, new_strides, impl().offset);
  if (is_recorded(*this)) {
    record("PermuteBackward0", {out}, {*this},
           [inverse](Pass& pass) { pass.give(0, pass.grad().permute(inverse)); });
  }
  return out;
}

Tensor Tensor::expand(const Shape& wanted) const {
  if (wanted == sizes()) return *this;
  check(wanted.size() >= sizes().size(), "expand: the requested shape ", wanted,
        " has fewer dimensions than ", sizes());
  Shape new_strides = wanted;
  std::size_t shift = wanted.size() - sizes().size();
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    std::int64_t own = i < shift ? 1 : sizes()[i - shift];
    check(own == wanted[i] || own == 1, "The expanded size of the tensor (", wanted[i],
          ") must match the existing size (", own, ") at non-singleton dimension ", i,
          ".  Target sizes: ", wanted, ".  Tensor sizes: ", sizes());
    new_strides[i] = own == wanted[i] && i >= shift ? strides()[i - shift] : 0;
  }
  Tensor out = make_view(*this, wanted, new_strides, impl().offset);
  if (is_recorded(*this)) {
    record("ExpandBackward0", {out}, {*this},
           [back = sizes()](Pass& pass) { pass.give(0, sum_to(pass.grad(), back)); });
  }
  return out;
}

Tensor Tensor::narrow(std::int64_t dim, std::int64_t start, std::int64_t length) const {
  check(this->dim() > 0, "narrow() cannot be applied to a 0-dim tensor.");
  std::int64_t where = wrap_dim(dim, this->dim());
  check(start >= 0 && length >= 0 && start + length <= size(where), "start (", start,
        ") + length (", length, ") exceeds dimension size (", size(where), ").");
  Tensor out = part(*this, where, start, length);
  if (is_recorded(*this)) {
    record("NarrowBackward0", {out}, {*this}, [where, start, back = sizes()](Pass& pass) {
      pass.give(0, narrow_backward(pass.grad(), back, where, start));
    });
  }
  return out;
}

Tensor Tensor::select(std::int64_t dim, std::int64_t index) const {
  check<IndexError>(this->dim() > 0, "select() cannot be applied to a 0-dim tensor.");
  std::int64_t where = wrap_dim(dim, this->dim());
  std::int64_t length = size(where);
  check<IndexError>(index >= -length && index < length, "select(): index ", index,
                    " out of range for tensor of size ", sizes(), " at dimension ", where);
  return narrow(where, index < 0 ? index + length : index, 1).squeeze(where);
}

std::vector<Tensor> Tensor::split_with_sizes(const std::vector<std::int64_t>& pieces,
                                             std::int64_t dim) const {
  std::int64_t where = wrap_dim(dim, this->dim());
  std::int64_t total = 0;
  for (std::int64_t piece : pieces) {
    check(piece >= 0,
          "split_with_sizes expects split_sizes have only non-negative entries, but got "
          "split_sizes=",
          Shape(pieces.begin(), pieces.end()));
    total += piece;
  }
  check(total == size(where), "split_with_sizes expects split_sizes to sum exactly to ",
        size(where), " (input tensor's size at dimension ", where,
        "), but got split_sizes=", Shape(pieces.begin(), pieces.end()));
  std::vector<Tensor> parts;
  std::int64_t start = 0;
  for (std::int64_t piece : pieces) {
    parts.push_back(part(*this, where, start, piece));
    start += piece;
  }
  if (!is_recorded(*this)) return parts;
  record("SplitWithSizesBackward0", parts, {*this},
         [where, pieces, parts = sizes(), options = options()](Pass& pass) {
           TensorList grads = pass.grads();
           for (std::size_t i = 0; i < grads.size(); ++i) {
             Shape sizes = parts;
             sizes[at(where)] = pieces[i];
             if (!grads[i].defined()) grads[i] = zeros(sizes, options);
           }
           pass.give(0, cat(grads, where));
         });
  return parts;
}

std::vector<Tensor> Tensor::chunk(std::int64_t chunks, std::int64_t dim) const {
  check(this->dim() > 0, "chunk expects at least a 1-dimensional tensor");
  return split_with_sizes(chunk_sizes(size(dim), chunks), dim);
}

}  // namespace placecheck::runtime
