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

// An input, what becomes of it, and what the backward pass needs of how.
template <typename T>
struct BatchNormData {
  T* out;
  T* mean;
  T* inverse_deviation;
  const T* in;
  const T* weight;  // null: 1
  const T* bias;    // null: 0
  ChannelExtent extent;

  PLACECHECK_HD void normalise(std::int64_t channel, T average, T scale) const {
    mean[channel] = average;
    inverse_deviation[channel] = scale;
    T gain = scale * (weight == nullptr ? T(1) : weight[channel]);
    T shift = bias == nullptr ? T(0) : bias[channel];
    extent.for_each(channel, [&](std::int64_t i) { out[i] = (in[i] - average) * gain + shift; });
  }
};

// With the statistics of the batch, which the running ones follow.
template <typename T>
struct BatchNormTrain {
  static constexpr const char* kName = "batch_norm_train";
  BatchNormData<T> data;
  T* running_mean;  // null: not kept
  T* running_var;
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
    data.normalise(channel, static_cast<T>(average),
                   static_cast<T>(1 / std::sqrt(squares / count + epsilon)));
    if (running_mean == nullptr) return;
    running_mean[channel] += static_cast<T>(momentum * (average - running_mean[channel]));
    running_var[channel] +=
        static_cast<T>(momentum * (squares / (count - 1) - running_var[channel]));
  }
};

// With the running statistics.
template <typename T>
struct BatchNormEval {
  static constexpr const char* kName = "batch_norm_eval";
  BatchNormData<T> data;
  const T* running_mean;
  const T* running_var;
  double epsilon;

  std::int64_t index_work() const { return data.extent.size(); }
  PLACECHECK_HD void operator()(std::int64_t channel) const {
    data.normalise(channel, running_mean[channel],
                   static_cast<T>(1 / std::sqrt(running_var[channel] + epsilon)));
  }
};

// The three gradients of one channel. In evaluation, mean and deviation do not depend on the input.
template <typename T>
struct BatchNormGrad {
  static constexpr const char* kName = "batch_norm_grad";
  T* grad_in;
  T* grad_weight;
  T* grad_bias;
  const T* grad;
  const T* in;
  const T* weight;
  const T* mean;
  const T* inverse_deviation;
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
    grad_weight[channel] = static_cast<T>(product);
    grad_bias[channel] = static_cast<T>(sum);
    WiderT<T> count = is_training ? static_cast<WiderT<T>>(extent.size()) : 0;
    T offset = is_training ? static_cast<T>(sum / count) : T(0);
    T slope = is_training ? static_cast<T>(product / count) : T(0);
    T gain = inverse_deviation[channel] * (weight == nullptr ? T(1) : weight[channel]);
    extent.for_each(channel, [&](std::int64_t i) {
      grad_in[i] = (grad[i] - offset - normalised(channel, i) * slope) * gain;
    });
  }

 private:
  PLACECHECK_HD T normalised(std::int64_t channel, std::int64_t i) const {
    return (in[i] - mean[channel]) * inverse_deviation[channel];
  }
};

}  // namespace placecheck::runtime::kernels

#endif  // PLACECHECK_RUNTIME_TENSOR_KERNELS_BATCH_NORM_H_
