// Arithmetic and comparison, element by element, with broadcasting and promotion of types.
#include "runtime/tensor/kernels/elementwise.h"

#include "runtime/autograd/node.h"
#include "runtime/backend/generator.h"
#include "runtime/core/check.h"
#include "runtime/tensor/functions.h"
#include "runtime/tensor/launch.h"
#include "runtime/tensor/op_rows.h"
#include "runtime/tensor/tensor_impl.h"

namespace placecheck::runtime {
namespace {

using autograd::is_recorded;
using autograd::Pass;
using autograd::record;
using autograd::Saved;

// The wider kind wins; of two of one kind, the wider type; a 0-dim tensor only lends its kind.
ScalarType promoted(const Tensor& a, const Tensor& b) {
  if (a.dtype() == b.dtype()) return a.dtype();
  bool same_kind = is_floating(a.dtype()) == is_floating(b.dtype());
  if (!same_kind) return is_floating(a.dtype()) ? a.dtype() : b.dtype();
  if (a.dim() == 0 && b.dim() != 0) return b.dtype();
  if (b.dim() == 0 && a.dim() != 0) return a.dtype();
  if (!is_floating(a.dtype())) return kLong;
  return size_of(a.dtype()) > size_of(b.dtype()) ? a.dtype() : b.dtype();
}

template <typename Op, typename T, typename Result>
void run_broadcast(const Device& device, const Tensor& out, const Tensor& a, const Tensor& b) {
  auto at = [&](const Tensor& tensor) {
    Tensor wide = tensor.expand(out.sizes());
    return kernels::strided(out.sizes(), wide.strides());
  };
  kernels::BinaryStrided<Op, T, Result> kernel{out.data_ptr<Result>(), a.data_ptr<T>(),
                                               b.data_ptr<T>(), at(a), at(b)};
  run_kernel(device, out.numel(), kernel, {&out, &a, &b});
}

template <typename Op, typename T, typename Result>
void run_binary(const Device& device, const Tensor& out, const Tensor& a, const Tensor& b) {
  Result* to = out.data_ptr<Result>();
  bool a_is_number = a.dim() == 0 && a.is_cpu() && device.is_cuda();
  bool b_is_number = b.dim() == 0 && b.is_cpu() && device.is_cuda();
  if (a_is_number) {
    kernels::NumberBinary<Op, T, Result> kernel{to, a.item<T>(), b.data_ptr<T>()};
    return run_kernel(device, out.numel(), kernel, {&out, &b});
  }
  if (b_is_number) {
    kernels::BinaryNumber<Op, T, Result> kernel{to, a.data_ptr<T>(), b.item<T>()};
    return run_kernel(device, out.numel(), kernel, {&out, &a});
  }
  if (a.sizes() == b.sizes() && a.is_contiguous() && b.is_contiguous()) {
    kernels::Binary<Op, T, Result> kernel{to, a.data_ptr<T>(), b.data_ptr<T>()};
    return run_kernel(device, out.numel(), kernel, {&out, &a, &b});
  }
  run_broadcast<Op, T, Result>(device, out, a, b);
}

// A number that stands beside a dense tensor needs no layout; other tensors beside one are made so.
Tensor dense_beside_number(const Tensor& tensor, const Tensor& other, const Device& device) {
  bool other_is_number = other.dim() == 0 && other.is_cpu() && device.is_cuda();
  return other_is_number ? tensor.contiguous() : tensor;
}

template <typename Op>
Tensor arithmetic(const OpRow& row, const Tensor& a, const Tensor& b, bool needs_floating = false) {
  check_operands(row, {&a, &b});
  NoGradGuard no_grad;
  Device device = common_device({&a, &b});
  ScalarType type = promoted(a, b);
  if (needs_floating && !is_floating(type)) type = kFloat;
  Tensor left = dense_beside_number(a.to(type), b, device);
  Tensor right = dense_beside_number(b.to(type), a, device);
  Tensor out = make_tensor(broadcast(a.sizes(), b.sizes()), type, device);
  dispatch_numbers(type, row.name,
                   [&]<typename T>(T) { run_binary<Op, T, T>(device, out, left, right); });
  return out;
}

template <typename Op>
Tensor comparison(const OpRow& row, const Tensor& a, const Tensor& b) {
  check_operands(row, {&a, &b});
  NoGradGuard no_grad;
  Device device = common_device({&a, &b});
  ScalarType type = promoted(a, b);
  Tensor left = dense_beside_number(a.to(type), b, device);
  Tensor right = dense_beside_number(b.to(type), a, device);
  Tensor out = make_tensor(broadcast(a.sizes(), b.sizes()), kBool, device);
  dispatch_all(type, row.name,
               [&]<typename T>(T) { run_binary<Op, T, bool>(device, out, left, right); });
  return out;
}

template <typename Op>
Tensor with_number(std::string_view name, const Tensor& a, double number) {
  Tensor dense = a.contiguous();
  Tensor out = make_tensor(a.sizes(), a.dtype(), a.device());
  dispatch_numbers(a.dtype(), name, [&]<typename T>(T) {
    kernels::BinaryNumber<Op, T> kernel{out.data_ptr<T>(), dense.data_ptr<T>(),
                                        static_cast<ComputeT<T>>(number)};
    run_kernel(a.device(), out.numel(), kernel, {&out, &dense});
  });
  return out;
}

// Integers meet a fraction as floating point.
Tensor fit_for(const Tensor& a, double number) {
  bool is_whole = number == static_cast<double>(static_cast<std::int64_t>(number));
  return is_floating(a.dtype()) || is_whole ? a : a.to(kFloat);
}

template <typename Op>
Tensor unary(std::string_view name, const Tensor& a) {
  Tensor dense = a.contiguous();
  Tensor out = make_tensor(a.sizes(), a.dtype(), a.device());
  dispatch_storable(a.dtype(), name, [&]<typename T>(T) {
    kernels::Unary<Op, T> kernel{out.data_ptr<T>(), dense.data_ptr<T>()};
    run_kernel(a.device(), out.numel(), kernel, {&out, &dense});
  });
  return out;
}

// A gradient through an operation's result: for gradients of gradients, they are operations, too.
template <typename Op>
Tensor through(const OpRow& row, const Tensor& grad, const Tensor& result) {
  return arithmetic<Op>(row, grad, result);
}

constexpr OpRow kThroughRow{"threshold_backward",
                            "wrapper_CUDA_threshold_backward",
                            rows::kCpuScalars,
                            {"grad_output", "self"}};

Tensor sigmoid_backward(const Tensor& grad, const Tensor& result) {
  if (GradMode::is_enabled()) return grad * result * (1.0 - result);
  return through<kernels::SigmoidGrad>(kThroughRow, grad, result);
}

Tensor tanh_backward(const Tensor& grad, const Tensor& result) {
  if (GradMode::is_enabled()) return grad * (1.0 - result * result);
  return through<kernels::TanhGrad>(kThroughRow, grad, result);
}

}  // namespace

Tensor Tensor::add(const Tensor& other) const {
  Tensor out = arithmetic<kernels::Add>(rows::kAdd, *this, other);
  if (is_recorded(*this, other)) {
    record("AddBackward0", {out}, {*this, other}, [a = sizes(), b = other.sizes()](Pass& pass) {
      if (pass.needs(0)) pass.give(0, sum_to(pass.grad(), a));
      if (pass.needs(1)) pass.give(1, sum_to(pass.grad(), b));
    });
  }
  return out;
}

Tensor Tensor::sub(const Tensor& other) const {
  Tensor out = arithmetic<kernels::Sub>(rows::kSub, *this, other);
  if (is_recorded(*this, other)) {
    record("SubBackward0", {out}, {*this, other}, [a = sizes(), b = other.sizes()](Pass& pass) {
      if (pass.needs(0)) pass.give(0, sum_to(pass.grad(), a));
      if (pass.needs(1)) pass.give(1, sum_to(pass.grad().neg(), b));
    });
  }
  return out;
}

Tensor Tensor::mul(const Tensor& other) const {
  Tensor out = arithmetic<kernels::Mul>(rows::kMul, *this, other);
  if (is_recorded(*this, other)) {
    record("MulBackward0", {out}, {*this, other},
           [a = Saved::input(*this), b = Saved::input(other)](Pass& pass) {
             Tensor left = a.get(pass);
             Tensor right = b.get(pass);
             if (pass.needs(0)) pass.give(0, sum_to(pass.grad().mul(right), left.sizes()));
             if (pass.needs(1)) pass.give(1, sum_to(pass.grad().mul(left), right.sizes()));
           });
  }
  return out;
}

Tensor Tensor::div(const Tensor& other) const {
  Tensor out = arithmetic<kernels::Div>(rows::kDiv, *this, other, true);
  if (is_recorded(*this, other)) {
    record("DivBackward0", {out}, {*this, other},
           [a = Saved::input(*this), b = Saved::input(other)](Pass& pass) {
             Tensor left = a.get(pass);
             Tensor right = b.get(pass);
             Tensor grad = pass.grad().div(right);
             if (pass.needs(0)) pass.give(0, sum_to(grad, left.sizes()));
             if (pass.needs(1))
               pass.give(1, sum_to(grad.mul(left.div(right)).neg(), right.sizes()));
           });
  }
  return out;
}

Tensor Tensor::add(double other) const {
  Tensor out = with_number<kernels::Add>("add", fit_for(*this, other), other);
  if (is_recorded(*this)) {
    record("AddBackward1", {out}, {*this}, [](Pass& pass) { pass.give(0, pass.grad()); });
  }
  return out;
}

Tensor Tensor::mul(double other) const {
  Tensor out = with_number<kernels::Mul>("mul", fit_for(*this, other), other);
  if (is_recorded(*this)) {
    record("MulBackward1", {out}, {*this},
           [other](Pass& pass) { pass.give(0, pass.grad().mul(other)); });
  }
  return out;
}

Tensor Tensor::pow(double exponent) const {
  Tensor out = with_number<kernels::Pow>("pow", *this, exponent);
  if (is_recorded(*this)) {
    record("PowBackward0", {out}, {*this}, [exponent, a = Saved::input(*this)](Pass& pass) {
      pass.give(0, pass.grad().mul(a.get(pass).pow(exponent - 1).mul(exponent)));
    });
  }
  return out;
}

Tensor Tensor::neg() const { return mul(-1); }

Tensor Tensor::exp() const {
  Tensor out = unary<kernels::Exp>("exp", *this);
  if (is_recorded(*this)) {
    record("ExpBackward0", {out}, {*this},
           [y = Saved::output(out)](Pass& pass) { pass.give(0, pass.grad().mul(y.get(pass))); });
  }
  return out;
}

Tensor Tensor::log() const {
  Tensor out = unary<kernels::Log>("log", *this);
  if (is_recorded(*this)) {
    record("LogBackward0", {out}, {*this},
           [a = Saved::input(*this)](Pass& pass) { pass.give(0, pass.grad().div(a.get(pass))); });
  }
  return out;
}

Tensor Tensor::sqrt() const {
  Tensor out = unary<kernels::Sqrt>("sqrt", *this);
  if (is_recorded(*this)) {
    record("SqrtBackward0", {out}, {*this}, [y = Saved::output(out)](Pass& pass) {
      pass.give(0, pass.grad().div(y.get(pass).mul(2)));
    });
  }
  return out;
}

Tensor Tensor::abs() const {
  Tensor out = unary<kernels::Abs>("abs", *this);
  if (is_recorded(*this)) {
    record("AbsBackward0", {out}, {*this}, [a = Saved::input(*this)](Pass& pass) {
      pass.give(0, pass.grad().mul(unary<kernels::Sign>("sign", a.get(pass))));
    });
  }
  return out;
}

Tensor Tensor::relu() const {
  Tensor out = unary<kernels::Relu>("relu", *this);
  if (is_recorded(*this)) {
    record("ReluBackward0", {out}, {*this}, [y = Saved::output(out)](Pass& pass) {
      pass.give(0, threshold_backward(pass.grad(), y.get(pass)));
    });
  }
  return out;
}

Tensor Tensor::sigmoid() const {
  Tensor out = unary<kernels::Sigmoid>("sigmoid", *this);
  if (is_recorded(*this)) {
    record("SigmoidBackward0", {out}, {*this}, [y = Saved::output(out)](Pass& pass) {
      pass.give(0, sigmoid_backward(pass.grad(), y.get(pass)));
    });
  }
  return out;
}

Tensor Tensor::tanh() const {
  Tensor out = unary<kernels::Tanh>("tanh", *this);
  if (is_recorded(*this)) {
    record("TanhBackward0", {out}, {*this}, [y = Saved::output(out)](Pass& pass) {
      pass.give(0, tanh_backward(pass.grad(), y.get(pass)));
    });
  }
  return out;
}

Tensor Tensor::eq(const Tensor& other) const {
  return comparison<kernels::Eq>(rows::kEq, *this, other);
}

Tensor Tensor::gt(double other) const {
  Tensor dense = contiguous();
  Tensor out = make_tensor(sizes(), kBool, device());
  dispatch_numbers(dtype(), "gt", [&]<typename T>(T) {
    kernels::BinaryNumber<kernels::Gt, T, bool> kernel{out.data_ptr<bool>(), dense.data_ptr<T>(),
                                                       static_cast<ComputeT<T>>(other)};
    run_kernel(device(), out.numel(), kernel, {&out, &dense});
  });
  return out;
}

Tensor threshold_backward(const Tensor& grad, const Tensor& result) {
  Tensor out = through<kernels::ReluGrad>(kThroughRow, grad, result);
  if (is_recorded(grad)) {
    record("ThresholdBackwardBackward0", {out}, {grad}, [y = Saved::input(result)](Pass& pass) {
      pass.give(0, threshold_backward(pass.grad(), y.get(pass)));
    });
  }
  return out;
}

Tensor dropout(const Tensor& input, double probability, bool is_training) {
  check(probability >= 0 && probability <= 1,
        "dropout probability has to be between 0 and 1, but got ", probability);
  if (!is_training || probability == 0) return input;
  RandomRange range = take_random(input.device(), input.numel());
  auto masked = [range, probability](const Tensor& tensor) {
    Tensor dense = tensor.contiguous();
    Tensor out = make_tensor(tensor.sizes(), tensor.dtype(), tensor.device());
    dispatch_storable(tensor.dtype(), "dropout", [&]<typename T>(T) {
      auto scale = static_cast<ComputeT<T>>(probability < 1 ? 1 / (1 - probability) : 0);
      kernels::Dropout<T> kernel{out.data_ptr<T>(), dense.data_ptr<T>(), range.seed,
                                 range.first,       probability,         scale};
      run_kernel(tensor.device(), out.numel(), kernel, {&out, &dense});
    });
    return out;
  };
  Tensor out = masked(input);
  if (is_recorded(input)) {
    record("NativeDropoutBackward0", {out}, {input},
           [masked](Pass& pass) { pass.give(0, masked(pass.grad())); });
  }
  return out;
}

Tensor relu(const Tensor& input) { return input.relu(); }
Tensor sigmoid(const Tensor& input) { return input.sigmoid(); }
Tensor tanh(const Tensor& input) { return input.tanh(); }
Tensor exp(const Tensor& input) { return input.exp(); }

Tensor operator+(const Tensor& a, const Tensor& b) { return a.add(b); }
Tensor operator-(const Tensor& a, const Tensor& b) { return a.sub(b); }
Tensor operator*(const Tensor& a, const Tensor& b) { return a.mul(b); }
Tensor operator/(const Tensor& a, const Tensor& b) { return a.div(b); }
Tensor operator+(const Tensor& a, double b) { return a.add(b); }
Tensor operator-(const Tensor& a, double b) { return a.add(-b); }
Tensor operator*(const Tensor& a, double b) { return a.mul(b); }
Tensor operator/(const Tensor& a, double b) { return a.mul(1 / b); }
Tensor operator+(double a, const Tensor& b) { return b.add(a); }
Tensor operator-(double a, const Tensor& b) { return b.neg().add(a); }
Tensor operator*(double a, const Tensor& b) { return b.mul(a); }
Tensor operator/(double a, const Tensor& b) { return b.pow(-1).mul(a); }
Tensor operator-(const Tensor& a) { return a.neg(); }

}  // namespace placecheck::runtime
