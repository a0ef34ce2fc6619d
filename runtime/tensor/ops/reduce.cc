// Sums, means and the position of the largest element.
#include "runtime/tensor/kernels/reduce.h"

#include "runtime/autograd/node.h"
#include "runtime/core/check.h"
#include "runtime/tensor/functions.h"
#include "runtime/tensor/launch.h"
#include "runtime/tensor/tensor_impl.h"

namespace placecheck::runtime {
namespace {

using autograd::is_recorded;
using autograd::Pass;
using autograd::record;

// A dense tensor as [outer, length, inner] around a dimension.
struct Folded {
  std::int64_t length = 1;
  std::int64_t inner = 1;
};

Folded fold(const Shape& sizes, std::int64_t dim) {
  Folded folded;
  folded.length = sizes[static_cast<std::size_t>(dim)];
  for (std::size_t d = static_cast<std::size_t>(dim) + 1; d < sizes.size(); ++d) {
    folded.inner *= sizes[d];
  }
  return folded;
}

Shape without(const Shape& sizes, std::int64_t dim, bool keepdim) {
  Shape result = sizes;
  if (keepdim) {
    result[static_cast<std::size_t>(dim)] = 1;
  } else {
    result.erase(static_cast<std::size_t>(dim));
  }
  return result;
}

// Booleans are counted.
Tensor summable(const Tensor& self) {
  return (self.dtype() == kBool ? self.to(kLong) : self).contiguous();
}

void run_sum(const Tensor& out, const Tensor& in, Folded folded, double scale) {
  dispatch_numbers(in.dtype(), "sum", [&]<typename T>(T) {
    kernels::Sum<T> kernel{out.data_ptr<T>(), in.data_ptr<T>(), folded.length, folded.inner,
                           static_cast<ComputeT<T>>(scale)};
    run_kernel(in.device(), out.numel(), kernel, {&out, &in});
  });
}

Tensor scaled_sum(const char* name, const Tensor& self, double scale) {
  Tensor in = summable(self);
  Tensor out = make_tensor({}, in.dtype(), in.device());
  run_sum(out, in, {in.numel(), 1}, scale);
  if (is_recorded(self)) {
    record(name, {out}, {self}, [sizes = self.sizes(), scale](Pass& pass) {
      Tensor grad = scale == 1 ? pass.grad() : pass.grad().mul(scale);
      pass.give(0, grad.expand(sizes));
    });
  }
  return out;
}

Tensor scaled_sum(const char* name, const Tensor& self, std::int64_t dim, bool keepdim,
                  double scale) {
  Tensor in = summable(self);
  Tensor out = make_tensor(without(in.sizes(), dim, keepdim), in.dtype(), in.device());
  run_sum(out, in, fold(in.sizes(), dim), scale);
  if (is_recorded(self)) {
    record(name, {out}, {self}, [sizes = self.sizes(), dim, keepdim, scale](Pass& pass) {
      Tensor grad = keepdim ? pass.grad() : pass.grad().unsqueeze(dim);
      pass.give(0, (scale == 1 ? grad : grad.mul(scale)).expand(sizes));
    });
  }
  return out;
}

void check_mean(const Tensor& self) {
  check(is_floating(self.dtype()),
        "mean(): could not infer output dtype. Input dtype must be either a floating point or "
        "complex dtype. Got: ",
        row_of(self.dtype()).name);
}

}  // namespace

Tensor Tensor::sum() const { return scaled_sum("SumBackward0", *this, 1); }

Tensor Tensor::sum(std::int64_t dim, bool keepdim) const {
  if (this->dim() == 0) return sum();
  return scaled_sum("SumBackward1", *this, wrap_dim(dim, this->dim()), keepdim, 1);
}

Tensor Tensor::mean() const {
  check_mean(*this);
  return scaled_sum("MeanBackward0", *this, 1.0 / static_cast<double>(numel()));
}

Tensor Tensor::mean(std::int64_t dim, bool keepdim) const {
  check_mean(*this);
  std::int64_t where = wrap_dim(dim, this->dim());
  return scaled_sum("MeanBackward1", *this, where, keepdim, 1.0 / static_cast<double>(size(where)));
}

Tensor Tensor::argmax(std::int64_t dim) const {
  std::int64_t where = wrap_dim(dim, this->dim());
  check<IndexError>(size(where) > 0, "argmax(): Expected reduction dim ", where,
                    " to have non-zero size.");
  Tensor in = contiguous();
  Tensor out = make_tensor(without(sizes(), where, false), kLong, device());
  Folded folded = fold(sizes(), where);
  dispatch_numbers(dtype(), "argmax", [&]<typename T>(T) {
    kernels::ArgMax<T> kernel{out.data_ptr<std::int64_t>(), in.data_ptr<T>(), folded.length,
                              folded.inner};
    run_kernel(device(), out.numel(), kernel, {&out, &in});
  });
  return out;
}

Tensor sum_to(const Tensor& tensor, const Shape& sizes) {
  if (tensor.sizes() == sizes) return tensor;
  if (element_count(sizes) == 1) return tensor.sum().reshape(sizes);
  Tensor result = tensor.to(compute_type(tensor.dtype()));
  while (result.sizes().size() > sizes.size()) result = result.sum(0);
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 1 && result.sizes()[d] != 1) {
      result = result.sum(static_cast<std::int64_t>(d), true);
    }
  }
  return result.to(tensor.dtype());
}

}  // namespace placecheck::runtime
