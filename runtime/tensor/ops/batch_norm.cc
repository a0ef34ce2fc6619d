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

// The type of parameters and running statistics, which for halves may be float.
ScalarType parameter_type(const Tensor& in, std::initializer_list<const Tensor*> parameters) {
  for (const Tensor* parameter : parameters) {
    if (parameter->defined()) return parameter->dtype();
  }
  return in.dtype();
}

bool takes_parameters(ScalarType input, ScalarType parameter) {
  return parameter == input || parameter == compute_type(input);
}

// cuDNN's takes halves only with parameters of floats.
const OpRow& row_for(const Tensor& input, const Tensor& weight) {
  bool is_all_half = input.dtype() == kHalf && weight.defined() && weight.dtype() == kHalf;
  return input.is_cuda() && !is_all_half ? rows::kCudnnBatchNorm : rows::kNativeBatchNorm;
}

// Calls `body` with values of the types of the input and of its parameters.
template <typename Body>
void dispatch_parameters(ScalarType input, ScalarType parameter, std::string_view op,
                         const Body& body) {
  dispatch_storable(input, op, [&]<typename T>(T value) {
    if (parameter == ScalarTypeOf<ComputeT<T>>::kValue) return body(value, ComputeT<T>{});
    body(value, T{});
  });
}

template <typename T, typename Parameter>
kernels::BatchNormData<T, Parameter> data_of(const Tensor& out, const Tensor& in,
                                             const Tensor& weight, const Tensor& bias,
                                             const Statistics& kept) {
  return {.out = out.data_ptr<T>(),
          .mean = kept.mean.data_ptr<ComputeT<T>>(),
          .inverse_deviation = kept.inverse_deviation.data_ptr<ComputeT<T>>(),
          .in = in.data_ptr<T>(),
          .weight = pointer<Parameter>(weight),
          .bias = pointer<Parameter>(bias),
          .extent = extent_of(in)};
}

void run_training(const Tensor& out, const Tensor& in, const Tensor& weight, const Tensor& bias,
                  const BatchNormState& state, const Statistics& kept, double momentum,
                  double epsilon) {
  ScalarType type = parameter_type(in, {&weight, &bias, &state.running_mean});
  dispatch_parameters(in.dtype(), type, "batch_norm", [&]<typename T, typename P>(T, P) {
    kernels::BatchNormTrain<T, P> kernel{.data = data_of<T, P>(out, in, weight, bias, kept),
                                         .running_mean = pointer<P>(state.running_mean),
                                         .running_var = pointer<P>(state.running_var),
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
  ScalarType type = parameter_type(in, {&weight, &bias, &state.running_mean});
  dispatch_parameters(in.dtype(), type, "batch_norm", [&]<typename T, typename P>(T, P) {
    kernels::BatchNormEval<T, P> kernel{.data = data_of<T, P>(out, in, weight, bias, kept),
                                        .running_mean = state.running_mean.data_ptr<P>(),
                                        .running_var = state.running_var.data_ptr<P>(),
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
  ScalarType type = parameter_type(in, {&weight});
  Tensor grad_weight = make_tensor({extent.channels}, type, in.device());
  Tensor grad_bias = make_tensor({extent.channels}, type, in.device());
  dispatch_parameters(in.dtype(), type, "batch_norm_backward", [&]<typename T, typename P>(T, P) {
    using Number = ComputeT<T>;
    kernels::BatchNormGrad<T, P> kernel{
        .grad_in = grad_in.data_ptr<T>(),
        .grad_weight = grad_weight.data_ptr<P>(),
        .grad_bias = grad_bias.data_ptr<P>(),
        .grad = grad.data_ptr<T>(),
        .in = in.data_ptr<T>(),
        .weight = pointer<P>(weight),
        .mean = kept.mean.data_ptr<Number>(),
        .inverse_deviation = kept.inverse_deviation.data_ptr<Number>(),
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
  check_operands(row_for(input, weight),
                 {&input, &weight, &bias, &state.running_mean, &state.running_var});
  check<ValueError>(!is_training || input.numel() / std::max<std::int64_t>(input.size(1), 1) > 1,
                    "Expected more than 1 value per channel when training, got input size ",
                    input.sizes());
  ScalarType type = parameter_type(input, {&weight, &bias, &state.running_mean});
  check(input.is_cuda() || takes_parameters(input.dtype(), type),
        "mixed dtype (CPU): expect parameter to have scalar type of Float");
  Tensor in = input.detach().contiguous();
  Tensor out = make_tensor(in.sizes(), in.dtype(), in.device());
  ScalarType statistics_type = compute_type(in.dtype());
  Statistics kept{make_tensor({in.size(1)}, statistics_type, in.device()),
                  make_tensor({in.size(1)}, statistics_type, in.device())};
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
