// Softmax and the losses.
#include "runtime/autograd/node.h"
#include "runtime/core/check.h"
#include "runtime/core/warning.h"
#include "runtime/tensor/functions.h"
#include "runtime/tensor/kernels/loss.h"
#include "runtime/tensor/launch.h"
#include "runtime/tensor/op_rows.h"
#include "runtime/tensor/tensor_impl.h"

namespace placecheck::runtime {
namespace {

using autograd::is_recorded;
using autograd::Pass;
using autograd::record;
using autograd::Saved;

Tensor softmax_grad(const Tensor& gradient, const Tensor& result, bool is_log) {
  Tensor grad = gradient.contiguous();
  Tensor out = make_tensor(result.sizes(), result.dtype(), result.device());
  std::int64_t length = result.size(-1);
  dispatch_storable(result.dtype(), "softmax_backward", [&]<typename T>(T) {
    kernels::SoftmaxGrad<T> kernel{out.data_ptr<T>(), grad.data_ptr<T>(), result.data_ptr<T>(),
                                   length, is_log};
    run_kernel(result.device(), out.numel() / length, kernel, {&out, &grad, &result});
  });
  return out;
}

Tensor softmax_over_rows(const Tensor& input, bool is_log) {
  Tensor in = input.contiguous();
  Tensor out = make_tensor(in.sizes(), in.dtype(), in.device());
  std::int64_t length = in.size(-1);
  if (out.numel() != 0) {
    dispatch_storable(in.dtype(), "softmax", [&]<typename T>(T) {
      kernels::Softmax<T> kernel{out.data_ptr<T>(), in.data_ptr<T>(), length, is_log};
      run_kernel(in.device(), out.numel() / length, kernel, {&out, &in});
    });
  }
  if (is_recorded(input)) {
    const char* name = is_log ? "LogSoftmaxBackward0" : "SoftmaxBackward0";
    record(name, {out}, {input}, [y = Saved::output(out), is_log](Pass& pass) {
      pass.give(0, softmax_grad(pass.grad(), y.get(pass), is_log));
    });
  }
  return out;
}

Tensor softmax_over(const Tensor& input, std::int64_t dim, bool is_log) {
  if (input.dim() == 0) return softmax_over_rows(input.reshape({1}), is_log).reshape({});
  std::int64_t where = wrap_dim(dim, input.dim());
  if (where == input.dim() - 1) return softmax_over_rows(input, is_log);
  return softmax_over_rows(input.transpose(where, -1), is_log).transpose(where, -1);
}

void check_targets(const Tensor& input, const Tensor& target) {
  check(input.dim() == 2 && target.dim() == 1, "input tensor should be 2D and target 1D, got ",
        input.dim(), "D and ", target.dim(), "D");
  check<ValueError>(input.size(0) == target.size(0), "Expected input batch_size (", input.size(0),
                    ") to match target batch_size (", target.size(0), ").");
  check(target.dtype() == kLong, "expected scalar type Long but found ",
        row_of(target.dtype()).name);
  if (!target.is_cpu()) return;
  const std::int64_t* values = target.data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < target.numel(); ++i) {
    bool is_class = values[i] >= 0 && values[i] < input.size(1);
    check<IndexError>(is_class || values[i] == kIgnoreIndex, "Target ", values[i],
                      " is out of bounds.");
  }
}

}  // namespace

Tensor softmax(const Tensor& input, std::int64_t dim) { return softmax_over(input, dim, false); }
Tensor log_softmax(const Tensor& input, std::int64_t dim) { return softmax_over(input, dim, true); }
Tensor Tensor::softmax(std::int64_t dim) const { return softmax_over(*this, dim, false); }
Tensor Tensor::log_softmax(std::int64_t dim) const { return softmax_over(*this, dim, true); }

Tensor nll_loss(const Tensor& log_probabilities, const Tensor& target, Reduction reduction) {
  check_operands(rows::kNllLoss, {&log_probabilities, &target});
  Tensor in = log_probabilities.contiguous();
  Tensor classes = target.contiguous();
  check_targets(in, classes);
  Device device = common_device({&in, &classes});
  Tensor out = make_tensor({}, in.dtype(), device);
  Tensor weight_of_one = make_tensor({}, compute_type(in.dtype()), device);
  dispatch_storable(in.dtype(), "nll_loss", [&]<typename T>(T) {
    kernels::NllLoss<T> kernel{.out = out.data_ptr<T>(),
                               .weight_of_one = weight_of_one.data_ptr<ComputeT<T>>(),
                               .in = in.data_ptr<T>(),
                               .target = classes.data_ptr<std::int64_t>(),
                               .rows = in.size(0),
                               .classes = in.size(1),
                               .ignored = kIgnoreIndex,
                               .is_mean = reduction == Reduction::kMean};
    run_kernel(device, 1, kernel, {&out, &weight_of_one, &in, &classes});
  });
  if (is_recorded(log_probabilities)) {
    record("NllLossBackward0", {out}, {log_probabilities},
           [sizes = in.sizes(), classes, weight_of_one](Pass& pass) {
             const Tensor& grad = pass.grad();
             Tensor result = make_tensor(sizes, grad.dtype(), grad.device());
             dispatch_storable(grad.dtype(), "nll_loss_backward", [&]<typename T>(T) {
               kernels::NllLossGrad<T> kernel{result.data_ptr<T>(),
                                              grad.data_ptr<T>(),
                                              weight_of_one.data_ptr<ComputeT<T>>(),
                                              classes.data_ptr<std::int64_t>(),
                                              sizes[1],
                                              kIgnoreIndex};
               run_kernel(grad.device(), sizes[0], kernel,
                          {&result, &grad, &weight_of_one, &classes});
             });
             pass.give(0, result);
           });
  }
  return out;
}

Tensor cross_entropy(const Tensor& logits, const Tensor& target, Reduction reduction) {
  return nll_loss(log_softmax(logits, 1), target, reduction);
}

Tensor mse_loss(const Tensor& input, const Tensor& target, Reduction reduction) {
  check_operands(rows::kMseLoss, {&input, &target});
  if (!(input.sizes() == target.sizes())) {
    warn(text_of("Using a target size (", target.sizes(), ") that is different to the input size (",
                 input.sizes(),
                 "). This will likely lead to incorrect results due to broadcasting. Please ensure "
                 "they have the same size."));
  }
  Tensor difference = input - target;
  Tensor squares = difference * difference;
  return reduction == Reduction::kMean ? squares.mean() : squares.sum();
}

Tensor embedding(const Tensor& weight, const Tensor& indices, std::int64_t padding_index) {
  check_operands(rows::kIndexSelect, {&weight, &indices});
  check(indices.dtype() == kLong,
        "Expected tensor for argument #1 'indices' to have one of the following scalar types: "
        "Long, Int; but got ",
        indices.type_name(), " instead (while checking arguments for embedding)");
  Tensor table = weight.contiguous();
  Tensor wanted = indices.contiguous();
  std::int64_t width = weight.size(1);
  Shape sizes = indices.sizes();
  sizes.push_back(width);
  Device device = common_device({&weight, &indices});
  Tensor out = make_tensor(sizes, weight.dtype(), device);
  dispatch_storable(weight.dtype(), "embedding", [&]<typename T>(T) {
    kernels::Embedding<T> kernel{out.data_ptr<T>(), table.data_ptr<T>(),
                                 wanted.data_ptr<std::int64_t>(), weight.size(0), width};
    run_kernel(device, out.numel(), kernel, {&out, &table, &wanted});
  });
  if (is_recorded(weight)) {
    record("EmbeddingBackward0", {out}, {weight},
           [wanted, width, padding_index, sizes = weight.sizes()](Pass& pass) {
             // Rows are summed, those of halves in float, and rounded where the graph takes them.
             Tensor grad = pass.grad().to(compute_type(pass.grad().dtype())).contiguous();
             Tensor result = zeros(sizes, grad.options());
             dispatch_floating(grad.dtype(), "embedding_backward", [&]<typename T>(T) {
               kernels::EmbeddingGrad<T> kernel{result.data_ptr<T>(),
                                                grad.data_ptr<T>(),
                                                wanted.data_ptr<std::int64_t>(),
                                                wanted.numel(),
                                                width,
                                                padding_index};
               run_kernel(grad.device(), width, kernel, {&result, &grad, &wanted});
             });
             pass.give(0, result);
           });
  }
  return out;
}

bool equal(const Tensor& a, const Tensor& b) {
  check_operands(rows::kEqual, {&a, &b});
  if (!(a.sizes() == b.sizes())) return false;
  NoGradGuard no_grad;
  return a.eq(b).sum().item<std::int64_t>() == a.numel();
}

bool allclose(const Tensor& a, const Tensor& b, double relative, double absolute) {
  if (!(a.sizes() == b.sizes())) return false;
  std::vector<double> left = a.to_vector<double>();
  std::vector<double> right = b.to_vector<double>();
  for (std::size_t i = 0; i < left.size(); ++i) {
    double tolerance = absolute + relative * std::abs(right[i]);
    if (!(std::abs(left[i] - right[i]) <= tolerance)) return false;
  }
  return true;
}

}  // namespace placecheck::runtime
