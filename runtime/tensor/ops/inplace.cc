// Operations that write into their first operand. In the graph, the operand becomes the result.
#include "runtime/autograd/node.h"
#include "runtime/core/check.h"
#include "runtime/tensor/functions.h"
#include "runtime/tensor/kernels/elementwise.h"
#include "runtime/tensor/launch.h"
#include "runtime/tensor/tensor_impl.h"

namespace placecheck::runtime {
namespace {

void check_writable(const Tensor& self, bool is_recorded) {
  if (!is_recorded) return;
  check(!(self.is_leaf() && self.requires_grad()),
        "a leaf Variable that requires grad is being used in an in-place operation.");
  check(!self.impl().is_view,
        "a view is being written in place while gradients are recorded: clone() it first");
}

// Gives `self` the values of `result`, and its place in the graph.
void become(const Tensor& self, const Tensor& result) {
  bool is_recorded = result.requires_grad();
  check_writable(self, is_recorded || (GradMode::is_enabled() && self.requires_grad()));
  check(result.sizes() == self.sizes(), "output with shape ", self.sizes(),
        " doesn't match the broadcast shape ", result.sizes());
  check(!is_floating(result.dtype()) || is_floating(self.dtype()), "result type ",
        row_of(result.dtype()).name, " can't be cast to the desired output type ",
        row_of(self.dtype()).name);
  {
    NoGradGuard no_grad;
    self.copy_(result);
  }
  if (is_recorded) {
    self.impl().grad_fn = result.impl().grad_fn;
    self.impl().output_number = result.impl().output_number;
  }
}

// Where nothing is recorded and the layouts agree, the kernel writes straight into `self`.
template <typename Op>
bool write_directly(const Tensor& self, const Tensor& other) {
  bool is_direct = !autograd::is_recorded(self, other) && self.dtype() == other.dtype() &&
                   self.device() == other.device() && self.sizes() == other.sizes() &&
                   self.is_contiguous() && other.is_contiguous();
  if (!is_direct) return false;
  dispatch_numbers(self.dtype(), "in-place", [&]<typename T>(T) {
    kernels::Binary<Op, T> kernel{self.data_ptr<T>(), self.data_ptr<T>(), other.data_ptr<T>()};
    run_kernel(self.device(), self.numel(), kernel, {&self, &other});
  });
  bump_version(self);
  return true;
}

}  // namespace

const Tensor& Tensor::add_(const Tensor& other) const {
  if (!write_directly<kernels::Add>(*this, other)) become(*this, add(other));
  return *this;
}
const Tensor& Tensor::sub_(const Tensor& other) const {
  if (!write_directly<kernels::Sub>(*this, other)) become(*this, sub(other));
  return *this;
}
const Tensor& Tensor::mul_(const Tensor& other) const {
  if (!write_directly<kernels::Mul>(*this, other)) become(*this, mul(other));
  return *this;
}
const Tensor& Tensor::div_(const Tensor& other) const {
  become(*this, div(other));
  return *this;
}
const Tensor& Tensor::add_(double other) const {
  become(*this, add(other));
  return *this;
}
const Tensor& Tensor::mul_(double other) const {
  become(*this, mul(other));
  return *this;
}

const Tensor& Tensor::fill_(double value) const {
  check_writable(*this, GradMode::is_enabled() && requires_grad());
  dispatch_all(dtype(), "fill_", [&]<typename T>(T) {
    if (is_contiguous()) {
      kernels::Fill<T> kernel{data_ptr<T>(), static_cast<T>(value)};
      run_kernel(device(), numel(), kernel, {this});
    } else {
      kernels::FillStrided<T> kernel{data_ptr<T>(), kernels::strided(sizes(), strides()),
                                     static_cast<T>(value)};
      run_kernel(device(), numel(), kernel, {this});
    }
  });
  bump_version(*this);
  return *this;
}

}  // namespace placecheck::runtime
