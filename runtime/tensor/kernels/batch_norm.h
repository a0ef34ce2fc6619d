// Kernels of batch normalisation: one channel an index, of an input of [outer, channels, inner].
#ifndef PLACECHECK_RUNTIME_TENSOR_KERNELS_BATCH_NORM_H_
#define PLACECHECK_RUNTIME_TENSOR_KERNELS_BATCH_NORM_H_

#include <cmath>
#include <cstdint>

#include "runtime/backend/kernel.h"
#include "runtime/tensor/kernels/reduce.h"

namespace placecheck::runtime::kernels {

// Where the elements of a channel lie.
struct ChannelExtent {
  std::int64_t outer;
  std::int64_t channels;
  std::int64_t inner;

  PLACECHECK_HD std::int64_t size() const { return outer * inner; }

  // visit(i) for every element of the channel.
  template <typename Visit>
  PLACECHECK_HD void for_each(std::int64_t channel, const Visit& visit) const {
    for (std::int64_t o = 0; o < outer; ++o) {
      std::int64_t start = (o * channels + channel) * inner;
      for (std::int64_t i = start; i < start + inner; ++i) visit(i);
    }
  }
};

// An input, what becomes of it, and what the backward pass needs of how. The parameters and running
// statistics of halves may be floats.
template <typename T, typename Parameter>
struct BatchNormData {
  using Number = ComputeT<T>;
  T* out;
  Number* mean;
  Number* inverse_deviation;
  const T* in;
  const Parameter* weight;  // null: 1
  const Parameter* bias;    // null: 0
  ChannelExtent extent;

  PLACECHECK_HD void normalise(std::int64_t channel, Number average, Number scale) const {
    mean[channel] = average;
    inverse_deviation[channel] = scale;
    Number gain = scale * (weight == nullptr ? Number(1) : Number(weight[channel]));
    Number shift = bias == nullptr ? Number(0) : Number(bias[channel]);
    extent.for_each(channel, [&](std::int64_t i) { out[i] = (in[i] - average) * gain + shift; });
  }
};

// With the statistics of the batch, which the running ones follow.
template <typename T, typename Parameter>
struct BatchNormTrain {
  static constexpr const char* kName = "batch_norm_train";
  using Number = ComputeT<T>;
  BatchNormData<T, Parameter> data;
  Parameter* running_mean;  // null: not kept
  Parameter* running_var;
  double momentum;
  double epsilon;

  std::int64_t index_work() const { return 3 * data.extent.size(); }
  PLACECHECK_HD void operator()(std::int64_t channel) const {
    auto count = static_cast<WiderT<T>>(data.extent.size());
    WiderT<T> sum = 0;
    data.extent.for_each(channel, [&](std::int64_t i) { sum += data.in[i]; });
    WiderT<T> average = sum / count;
    WiderT<T> squares = 0;
    data.extent.for_each(channel, [&](std::int64_t i) {
      WiderT<T> distance = data.in[i] - average;
      squares += distance * distance;
    });
    data.normalise(channel, static_cast<Number>(average),
                   static_cast<Number>(1 / std::sqrt(squares / count + epsilon)));
    if (running_mean == nullptr) return;
    follow(running_mean[channel], average);
    follow(running_var[channel], squares / (count - 1));
  }

 private:
  PLACECHECK_HD void follow(Parameter& running, WiderT<T> batch) const {
    Number before = running;
    running = before + static_cast<Number>(momentum * (batch - before));
  }
};

// With the running statistics.
template <typename T, typename Parameter>
struct BatchNormEval {
  static constexpr const char* kName = "batch_norm_eval";
  BatchNormData<T, Parameter> data;
  const Parameter* running_mean;
  const Parameter* running_var;
  double epsilon;

  std::int64_t index_work() const { return data.extent.size(); }
  PLACECHECK_HD void operator()(std::int64_t channel) const {
    data.normalise(channel, running_mean[channel],
                   static_cast<ComputeT<T>>(1 / std::sqrt(running_var[channel] + epsilon)));
  }
};

// The three gradients of one channel. In evaluation, mean and deviation do not depend on the input.
template <typename T, typename Parameter>
struct BatchNormGrad {
  static constexpr const char* kName = "batch_norm_grad";
  using Number = ComputeT<T>;
  T* grad_in;
  Parameter* grad_weight;
  Parameter* grad_bias;
  const T* grad;
  const T* in;
  const Parameter* weight;
  const Number* mean;
  const Number* inverse_deviation;
  ChannelExtent extent;
  bool is_training;

  std::int64_t index_work() const { return 2 * extent.size(); }
  PLACECHECK_HD void operator()(std::int64_t channel) const {
    WiderT<T> sum = 0;
    WiderT<T> product = 0;
    extent.for_each(channel, [&](std::int64_t i) {
      sum += grad[i];
      product += grad[i] * normalised(channel, i);
    });
    grad_weight[channel] = static_cast<Parameter>(product);
    grad_bias[channel] = static_cast<Parameter>(sum);
    WiderT<T> count = is_training ? static_cast<WiderT<T>>(extent.size()) : 0;
    Number offset = is_training ? static_cast<Number>(sum / count) : Number(0);
    Number slope = is_training ? static_cast<Number>(product / count) : Number(0);
    Number gain =
        inverse_deviation[channel] * (weight == nullptr ? Number(1) : Number(weight[channel]));
    extent.for_each(channel, [&](std::int64_t i) {
      grad_in[i] = (grad[i] - offset - normalised(channel, i) * slope) * gain;
    });
  }

 private:
  PLACECHECK_HD Number normalised(std::int64_t channel, std::int64_t i) const {
    return (in[i] - mean[channel]) * inverse_deviation[channel];
  }
};

}  // namespace placecheck::runtime::kernels

#endif  // PLACECHECK_RUNTIME_TENSOR_KERNELS_BATCH_NORM_H_
