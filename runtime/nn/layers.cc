#include "runtime/nn/layers.h"

#include <cmath>

#include "runtime/autograd/grad_mode.h"
#include "runtime/core/check.h"

namespace placecheck::runtime::nn {
namespace {

// Uniform in (-bound, bound), as PyTorch starts linear and convolutional layers.
Tensor uniform_start(const Shape& sizes, std::int64_t fan_in) {
  double bound = fan_in > 0 ? 1 / std::sqrt(static_cast<double>(fan_in)) : 0;
  return runtime::rand(sizes).mul(2 * bound).add(-bound);
}

}  // namespace

LinearImpl::LinearImpl(const LinearOptions& options) : options(options) {
  std::int64_t in = options.in_features();
  weight = register_parameter("weight", uniform_start({options.out_features(), in}, in));
  bias = register_parameter(
      "bias", options.bias() ? uniform_start({options.out_features()}, in) : Tensor());
}

Conv2dImpl::Conv2dImpl(const Conv2dOptions& options) : options(options) {
  std::int64_t kernel = options.kernel_size();
  std::int64_t fan_in = options.in_channels() * kernel * kernel;
  weight = register_parameter(
      "weight",
      uniform_start({options.out_channels(), options.in_channels(), kernel, kernel}, fan_in));
  bias = register_parameter(
      "bias", options.bias() ? uniform_start({options.out_channels()}, fan_in) : Tensor());
}

Tensor Conv2dImpl::forward(const Tensor& input) {
  return conv2d(input, weight, bias,
                {{options.stride(), options.stride()}, {options.padding(), options.padding()}});
}

BatchNormImpl::BatchNormImpl(const BatchNormOptions& options) : options(options) {
  Shape sizes{options.num_features()};
  weight = register_parameter("weight", options.affine() ? ones(sizes) : Tensor());
  bias = register_parameter("bias", options.affine() ? zeros(sizes) : Tensor());
  bool tracks = options.track_running_stats();
  running_mean = register_buffer("running_mean", tracks ? zeros(sizes) : Tensor());
  running_var = register_buffer("running_var", tracks ? ones(sizes) : Tensor());
  num_batches_tracked =
      register_buffer("num_batches_tracked", tracks ? zeros({}, kLong) : Tensor());
}

Tensor BatchNormImpl::normalise(const Tensor& input) {
  bool tracks = running_mean.defined();
  bool uses_batch = is_training() || !tracks;
  if (is_training() && tracks) num_batches_tracked.add_(1);
  return batch_norm(input, weight, bias, {running_mean, running_var}, uses_batch,
                    options.momentum(), options.eps());
}

void BatchNormImpl::upgrade_state(StateDict& state_dict, const std::string& prefix,
                                  std::optional<std::int64_t> version) const {
  std::string key = prefix + "num_batches_tracked";
  bool is_old = !version || *version < 2;
  if (!is_old || !num_batches_tracked.defined() || state_dict.contains(key)) return;
  state_dict.insert(key, num_batches_tracked.detach());
}

Tensor BatchNorm1dImpl::forward(const Tensor& input) {
  check<ValueError>(input.dim() == 2 || input.dim() == 3, "expected 2D or 3D input (got ",
                    input.dim(), "D input)");
  return normalise(input);
}

Tensor BatchNorm2dImpl::forward(const Tensor& input) {
  check<ValueError>(input.dim() == 4, "expected 4D input (got ", input.dim(), "D input)");
  return normalise(input);
}

EmbeddingImpl::EmbeddingImpl(std::int64_t count, std::int64_t width, std::int64_t padding_index)
    : padding_index_(padding_index) {
  weight = register_parameter("weight", runtime::randn({count, width}));
  if (padding_index < 0) return;
  NoGradGuard no_grad;
  weight[padding_index].zero_();
}

LSTMCellImpl::LSTMCellImpl(std::int64_t input_size, std::int64_t hidden_size)
    : hidden_size_(hidden_size) {
  auto start = [&](const Shape& sizes) { return uniform_start(sizes, hidden_size); };
  weight_ih = register_parameter("weight_ih", start({4 * hidden_size, input_size}));
  weight_hh = register_parameter("weight_hh", start({4 * hidden_size, hidden_size}));
  bias_ih = register_parameter("bias_ih", start({4 * hidden_size}));
  bias_hh = register_parameter("bias_hh", start({4 * hidden_size}));
}

LSTMCellImpl::State LSTMCellImpl::forward(const Tensor& input, std::optional<State> state) {
  if (!state) {
    Tensor zero = zeros({input.size(0), hidden_size_}, input.options());
    state.emplace(zero, zero);
  }
  Tensor gates = linear(input, weight_ih, bias_ih) + linear(state->first, weight_hh, bias_hh);
  std::vector<Tensor> parts = gates.chunk(4, 1);
  Tensor cell = parts[1].sigmoid() * state->second + parts[0].sigmoid() * parts[2].tanh();
  return {parts[3].sigmoid() * cell.tanh(), cell};
}

}  // namespace placecheck::runtime::nn
