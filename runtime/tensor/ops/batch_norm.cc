// Batch normalisation over [N, C] and [N, C, ...].
#include "runtime/tensor/kernels/batch_norm.h"

#include "runtime/autograd/node.h"
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

kernels::ChannelExtent extent_of(const Tensor& input) {
  std::int64_t per_channel = input.numel() == 0 ? 0 : input.numel() / input.size(0) / input.size(1);
  return {input.size(0), input.size(1), per_channel};
}

template <typename T>
T* pointer(const Tensor& tensor) {
  return tensor.defined() ? tensor.data_ptr<T>() : nullptr;
}

// What the forward pass keeps for the backward one.
struct Statistics {
  Tensor mean;
  Tensor inverse_deviation;
};

template <typename T>
kernels::BatchNormData<T> data_of(const Tensor& out, const Tensor& in, const Tensor& weight,
                                  const Tensor& bias, const Statistics& kept) {
  return {.out = out.data_ptr<T>(),
          .mean = kept.mean.data_ptr<T>(),
          .inverse_deviation = kept.inverse_deviation.data_ptr<T>(),
          .in = in.data_ptr<T>(),
          .weight = pointer<T>(weight),
          .bias = pointer<T>(bias),
          .extent = extent_of(in)};
}

void run_training(const Tensor& out, const Tensor& in, const Tensor& weight, const Tensor& bias,
                  const BatchNormState& state, const Statistics& kept, double momentum,
                  double epsilon) {
  dispatch_floating(in.dtype(), "batch_norm", [&]<typename T>(T) {
    kernels::BatchNormTrain<T> kernel{.data = data_of<T>(out, in, weight, bias, kept),
                                      .running_mean = pointer<T>(state.running_mean),
                                      .running_var = pointer<T>(state.running_var),
                                      .momentum = momentum,
                                      .epsilon = epsilon};
    run_kernel(in.device(), in.size(1), kernel,
               {&out, &kept.mean, &kept.inverse_deviation, &in, &weight, &bias, &state.running_mean,
                &state.running_var});
  });
  if (state.running_mean.defined()) {
    bump_version(state.running_mean);
    bump_version(state.running_var);
  }
}

void run_evaluation(const Tensor& out, const Tensor& in, const Tensor& weight, const Tensor& bias,
                    const BatchNormState& state, const Statistics& kept, double epsilon) {
  dispatch_floating(in.dtype(), "batch_norm", [&]<typename T>(T) {
    kernels::BatchNormEval<T> kernel{.data = data_of<T>(out, in, weight, bias, kept),
                                     .running_mean = state.running_mean.data_ptr<T>(),
                                     .running_var = state.running_var.data_ptr<T>(),
                                     .epsilon = epsilon};
    run_kernel(in.device(), in.size(1), kernel,
               {&out, &kept.mean, &kept.inverse_deviation, &in, &weight, &bias, &state.running_mean,
                &state.running_var});
  });
}

void backward(Pass& pass, const Tensor& in, const Tensor& weight, const Statistics& kept,
              bool is_training) {
  Tensor grad = pass.grad().contiguous();
  kernels::ChannelExtent extent = extent_of(in);
  Tensor grad_in = make_tensor(in.sizes(), in.dtype(), in.device());
  Tensor grad_weight = make_tensor({extent.channels}, in.dtype(), in.device());
  Tensor grad_bias = make_tensor({extent.channels}, in.dtype(), in.device());
  dispatch_floating(in.dtype(), "batch_norm_backward", [&]<typename T>(T) {
    kernels::BatchNormGrad<T> kernel{.grad_in = grad_in.data_ptr<T>(),
                                     .grad_weight = grad_weight.data_ptr<T>(),
                                     .grad_bias = grad_bias.data_ptr<T>(),
                                     .grad = grad.data_ptr<T>(),
                                     .in = in.data_ptr<T>(),
                                     .weight = pointer<T>(weight),
                                     .mean = kept.mean.data_ptr<T>(),
                                     .inverse_deviation = kept.inverse_deviation.data_ptr<T>(),
                                     .extent = extent,
                                     .is_training = is_training};
    run_kernel(in.device(), extent.channels, kernel,
               {&grad_in, &grad_weight, &grad_bias, &grad, &in, &weight, &kept.mean,
                &kept.inverse_deviation});
  });
  pass.give(0, grad_in);
  if (pass.needs(1)) pass.give(1, grad_weight);
  if (pass.needs(2)) pass.give(2, grad_bias);
}

}  // namespace

Tensor batch_norm(const Tensor& input, const Tensor& weight, const Tensor& bias,
                  const BatchNormState& state, bool is_training, double momentum, double epsilon) {
  check_operands(input.is_cuda() ? rows::kCudnnBatchNorm : rows::kNativeBatchNorm,
                 {&input, &weight, &bias, &state.running_mean, &state.running_var});
  check<ValueError>(!is_training || input.numel() / std::max<std::int64_t>(input.size(1), 1) > 1,
                    "Expected more than 1 value per channel when training, got input size ",
                    input.sizes());
  Tensor in = input.detach().contiguous();
  Tensor out = make_tensor(in.sizes(), in.dtype(), in.device());
  Statistics kept{make_tensor({in.size(1)}, in.dtype(), in.device()),
                  make_tensor({in.size(1)}, in.dtype(), in.device())};
  if (is_training) {
    run_training(out, in, weight, bias, state, kept, momentum, epsilon);
  } else {
    run_evaluation(out, in, weight, bias, state, kept, epsilon);
  }
  if (is_recorded(input, weight, bias)) {
    record("NativeBatchNormBackward0", {out}, {input, weight, bias},
           [in = Saved::input(in), gain = Saved::input(weight), kept, is_training](Pass& pass) {
             Tensor weight = gain.get(pass);
             backward(pass, in.get(pass), weight.defined() ? weight.detach() : weight, kept,
                      is_training);
           });
  }
  return out;
}

}  // namespace placecheck::runtime
