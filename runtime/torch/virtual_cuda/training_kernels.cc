// Operators of training on GPUs that have no kernel for the CPU, or not in every release: loss
// scaling, fused Adam, batch normalisation over several devices. Formulas as in
// ATen/native/cuda/{AmpKernels,FusedAdamKernel,Normalization}.cu.
#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/torch/virtual_cuda/kernels.h"

namespace placecheck::virtual_cuda {
namespace {

using at::Tensor;
using OptionalTensor = c10::optional<Tensor>;
using Two = std::tuple<Tensor, Tensor>;
using Four = std::tuple<Tensor, Tensor, Tensor, Tensor>;

bool has(const OptionalTensor& tensor) { return tensor.has_value() && tensor->defined(); }

void unscale(at::TensorList gradients, Tensor& found_inf, const Tensor& inverse_scale) {
  for (const Tensor& gradient : gradients) {
    const Tensor wide = gradient.to(at::kFloat);
    const Tensor is_bad = wide.isfinite().all().logical_not();
    found_inf.copy_(at::maximum(found_inf, is_bad.to(at::kFloat)));
    gradient.copy_(wide * inverse_scale);
  }
}

Tensor& update_scale(Tensor& scale, Tensor& growth_tracker, const Tensor& found_inf, double growth,
                     double backoff, std::int64_t interval) {
  if (found_inf.item<float>() != 0) {
    scale.mul_(backoff);
    growth_tracker.zero_();
    return scale;
  }
  const std::int64_t successful = growth_tracker.item<std::int64_t>() + 1;
  if (successful < interval) {
    growth_tracker.fill_(successful);
    return scale;
  }
  const Tensor grown = scale * growth;
  if (std::isfinite(grown.item<float>())) scale.copy_(grown);
  growth_tracker.zero_();
  return scale;
}

struct AdamOptions {
  double lr;
  double beta1;
  double beta2;
  double weight_decay;
  double eps;
  bool maximize;
};

struct AdamState {
  Tensor parameter;
  Tensor gradient;
  Tensor average;
  Tensor average_of_squares;
  Tensor largest;  // undefined without amsgrad
  Tensor step;
};

void adam(const AdamState& of, const AdamOptions& options, const OptionalTensor& grad_scale) {
  if (has(grad_scale)) of.gradient.div_(*grad_scale);
  Tensor gradient = options.maximize ? -of.gradient : of.gradient;
  if (options.weight_decay != 0) {
    gradient = gradient.add(of.parameter, options.weight_decay);
  }
  of.average.mul_(options.beta1).add_(gradient, 1 - options.beta1);
  of.average_of_squares.mul_(options.beta2).addcmul_(gradient, gradient, 1 - options.beta2);
  const auto step = of.step.item<double>();
  Tensor squares = of.average_of_squares;
  if (of.largest.defined()) {
    of.largest.copy_(at::maximum(of.largest, squares));
    squares = of.largest;
  }
  const double correction = std::sqrt(1 - std::pow(options.beta2, step));
  const Tensor divisor = (squares.sqrt() / correction).add_(options.eps);
  of.parameter.addcdiv_(of.average, divisor, -options.lr / (1 - std::pow(options.beta1, step)));
}

void fused_adam(at::TensorList parameters, at::TensorList gradients, at::TensorList averages,
                at::TensorList averages_of_squares, at::TensorList largest, at::TensorList steps,
                double lr, double beta1, double beta2, double weight_decay, double eps,
                bool amsgrad, bool maximize, const OptionalTensor& grad_scale,
                const OptionalTensor& found_inf) {
  if (has(found_inf) && found_inf->item<float>() != 0) return;
  const AdamOptions options{lr, beta1, beta2, weight_decay, eps, maximize};
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    adam({parameters[i], gradients[i], averages[i], averages_of_squares[i],
          amsgrad ? largest[i] : Tensor(), steps[i]},
         options, grad_scale);
  }
}

// All dimensions but that of the channels.
std::vector<std::int64_t> reduced_dimensions(const Tensor& input) {
  std::vector<std::int64_t> dimensions{0};
  for (std::int64_t i = 2; i < input.dim(); ++i) dimensions.push_back(i);
  return dimensions;
}

Tensor by_channel(const Tensor& values, const Tensor& input) {
  std::vector<std::int64_t> shape(static_cast<std::size_t>(input.dim()), 1);
  shape[1] = values.numel();
  return values.view(shape);
}

// GPUs reduce 16-bit types in float.
Tensor widened(const Tensor& tensor) {
  const bool is_narrow = tensor.scalar_type() == at::kHalf || tensor.scalar_type() == at::kBFloat16;
  return is_narrow ? tensor.to(at::kFloat) : tensor;
}

Two norm_stats(const Tensor& input, double eps) {
  const Tensor wide = widened(input);
  const std::vector<std::int64_t> dimensions = reduced_dimensions(input);
  const Tensor variance = wide.var(dimensions, /*unbiased=*/false);
  return {wide.mean(dimensions), (variance + eps).rsqrt()};
}

Tensor norm_elements(const Tensor& input, const OptionalTensor& weight, const OptionalTensor& bias,
                     const Tensor& mean, const Tensor& invstd, double /*eps*/) {
  Tensor output = (widened(input) - by_channel(mean, input)) * by_channel(invstd, input);
  if (has(weight)) output = output * by_channel(*weight, input);
  if (has(bias)) output = output + by_channel(*bias, input);
  return output.to(input.scalar_type());
}

void move_towards(const OptionalTensor& running, const Tensor& value, double momentum) {
  if (has(running)) running->mul_(1 - momentum).add_(value.to(running->scalar_type()), momentum);
}

// Rows of mean and invstd are those of the devices, which saw `counts` elements a channel each.
Two norm_gather(const Tensor& /*input*/, const Tensor& mean, const Tensor& invstd,
                const OptionalTensor& running_mean, const OptionalTensor& running_var,
                double momentum, double eps, const Tensor& counts) {
  const Tensor weights = counts.to(mean.scalar_type()).view({-1, 1});
  const Tensor count = weights.sum();
  const Tensor all_mean = (mean * weights).sum(0) / count;
  const Tensor variance = invstd.pow(-2) - eps;
  const Tensor squares = ((variance + (mean - all_mean).square()) * weights).sum(0);
  move_towards(running_mean, all_mean, momentum);
  move_towards(running_var, squares / (count - 1), momentum);
  return {all_mean, (squares / count + eps).rsqrt()};
}

Two norm_gather_equal(const Tensor& input, const Tensor& mean, const Tensor& invstd,
                      const OptionalTensor& running_mean, const OptionalTensor& running_var,
                      double momentum, double eps, std::int64_t count) {
  const Tensor counts = at::full({mean.size(0)}, count, mean.options());
  return norm_gather(input, mean, invstd, running_mean, running_var, momentum, eps, counts);
}

Four norm_backward_reduce(const Tensor& grad_out, const Tensor& input, const Tensor& mean,
                          const Tensor& invstd, const OptionalTensor& weight, bool needs_input,
                          bool needs_weight, bool needs_bias) {
  const std::vector<std::int64_t> dimensions = reduced_dimensions(input);
  const Tensor grad = widened(grad_out);
  const Tensor sum = grad.sum(dimensions);
  const Tensor product = (grad * (widened(input) - by_channel(mean, input))).sum(dimensions);
  const auto type = has(weight) ? weight->scalar_type() : input.scalar_type();
  return {needs_input ? sum : Tensor(), needs_input ? product : Tensor(),
          needs_weight ? (product * invstd).to(type) : Tensor(),
          needs_bias ? sum.to(type) : Tensor()};
}

Tensor norm_backward_elements(const Tensor& grad_out, const Tensor& input, const Tensor& mean,
                              const Tensor& invstd, const OptionalTensor& weight, const Tensor& sum,
                              const Tensor& product, const Tensor& count) {
  const Tensor all = count.sum();
  const Tensor scale = has(weight) ? invstd * *weight : invstd;
  const Tensor slope = by_channel(invstd.square() * product / all, input);
  const Tensor centred = widened(input) - by_channel(mean, input);
  const Tensor grad = widened(grad_out) - by_channel(sum / all, input) - centred * slope;
  return (grad * by_channel(scale, input)).to(input.scalar_type());
}

// Those that the release has and its CPU lacks.
template <typename Function>
void add_if_missing(torch::Library& library, const char* name, Function* function) {
  const auto op = c10::Dispatcher::singleton().findSchema({std::string("aten::") + name, ""});
  if (!op || op->hasKernelForDispatchKey(c10::DispatchKey::CPU)) return;
  library.impl(name, function);
}

}  // namespace

void add_training_kernels(torch::Library& library) {
  add_if_missing(library, "_amp_foreach_non_finite_check_and_unscale_", &unscale);
  add_if_missing(library, "_amp_update_scale_", &update_scale);
  add_if_missing(library, "_fused_adam_", &fused_adam);
  add_if_missing(library, "batch_norm_stats", &norm_stats);
  add_if_missing(library, "batch_norm_elemt", &norm_elements);
  add_if_missing(library, "batch_norm_gather_stats", &norm_gather_equal);
  add_if_missing(library, "batch_norm_gather_stats_with_counts", &norm_gather);
  add_if_missing(library, "batch_norm_backward_reduce", &norm_backward_reduce);
  add_if_missing(library, "batch_norm_backward_elemt", &norm_backward_elements);
}

}  // namespace placecheck::virtual_cuda
