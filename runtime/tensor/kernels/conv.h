// Kernels of two-dimensional convolution, pooling and batch normalisation.
#ifndef PLACECHECK_RUNTIME_TENSOR_KERNELS_CONV_H_
#define PLACECHECK_RUNTIME_TENSOR_KERNELS_CONV_H_

#include <cmath>
#include <cstdint>

#include "runtime/backend/kernel.h"
#include "runtime/tensor/kernels/reduce.h"

namespace placecheck::runtime::kernels {

// One image of [channels, height, width] under a window.
struct Window {
  std::int64_t channels;
  std::int64_t height;
  std::int64_t width;
  std::int64_t kernel_height;
  std::int64_t kernel_width;
  std::int64_t stride_height;
  std::int64_t stride_width;
  std::int64_t padding_height;
  std::int64_t padding_width;
  std::int64_t out_height;
  std::int64_t out_width;
};

// Each window's elements become a column: [channels * kernel, out_height * out_width].
template <typename T>
struct Unfold {
  static constexpr const char* kName = "unfold";
  T* out;
  const T* in;
  Window window;

  PLACECHECK_HD void operator()(std::int64_t i) const {
    const Window& w = window;
    std::int64_t column = i % (w.out_height * w.out_width);
    std::int64_t row = i / (w.out_height * w.out_width);
    std::int64_t kx = row % w.kernel_width;
    std::int64_t ky = row / w.kernel_width % w.kernel_height;
    std::int64_t channel = row / w.kernel_width / w.kernel_height;
    std::int64_t y = column / w.out_width * w.stride_height - w.padding_height + ky;
    std::int64_t x = column % w.out_width * w.stride_width - w.padding_width + kx;
    bool is_inside = y >= 0 && y < w.height && x >= 0 && x < w.width;
    out[i] = is_inside ? in[(channel * w.height + y) * w.width + x] : T(0);
  }
};

// The other way: an element is the sum of what all windows over it hold.
template <typename T>
struct FoldSum {
  static constexpr const char* kName = "fold";
  T* out;
  const T* in;
  Window window;

  PLACECHECK_HD void operator()(std::int64_t i) const {
    const Window& w = window;
    std::int64_t x = i % w.width + w.padding_width;
    std::int64_t y = i / w.width % w.height + w.padding_height;
    std::int64_t channel = i / w.width / w.height;
    T total = 0;
    for (std::int64_t ky = 0; ky < w.kernel_height; ++ky) {
      std::int64_t top = y - ky;
      if (top < 0 || top % w.stride_height != 0 || top / w.stride_height >= w.out_height) continue;
      for (std::int64_t kx = 0; kx < w.kernel_width; ++kx) {
        std::int64_t left = x - kx;
        if (left < 0 || left % w.stride_width != 0 || left / w.stride_width >= w.out_width) {
          continue;
        }
        std::int64_t row = (channel * w.kernel_height + ky) * w.kernel_width + kx;
        std::int64_t column = top / w.stride_height * w.out_width + left / w.stride_width;
        total += in[row * w.out_height * w.out_width + column];
      }
    }
    out[i] = total;
  }
};

// Windows that do not overlap; `position` remembers which element was the largest.
template <typename T>
struct MaxPool {
  static constexpr const char* kName = "max_pool";
  T* out;
  std::int64_t* position;
  const T* in;
  std::int64_t height;
  std::int64_t width;
  std::int64_t kernel;

  PLACECHECK_HD void operator()(std::int64_t i) const {
    std::int64_t out_height = height / kernel;
    std::int64_t out_width = width / kernel;
    std::int64_t left = i % out_width * kernel;
    std::int64_t top = i / out_width % out_height * kernel;
    std::int64_t plane = i / out_width / out_height * height * width;
    std::int64_t best = plane + top * width + left;
    for (std::int64_t y = top; y < top + kernel; ++y) {
      for (std::int64_t x = left; x < left + kernel; ++x) {
        std::int64_t here = plane + y * width + x;
        if (in[here] > in[best]) best = here;
      }
    }
    position[i] = best;
    out[i] = in[best];
  }
};

template <typename T>
struct MaxPoolGrad {
  static constexpr const char* kName = "max_pool_grad";
  T* out;  // zeroed before
  const T* grad;
  const std::int64_t* position;

  PLACECHECK_HD void operator()(std::int64_t i) const { out[position[i]] = grad[i]; }
};

// One channel an index, of an input of [outer, channels, inner].
template <typename T>
struct BatchNormTrain {
  static constexpr const char* kName = "batch_norm_train";
  T* out;
  T* mean;
  T* inverse_deviation;
  const T* in;
  const T* weight;
  const T* bias;
  T* running_mean;
  T* running_var;
  std::int64_t outer;
  std::int64_t channels;
  std::int64_t inner;
  double momentum;
  double epsilon;

  PLACECHECK_HD void operator()(std::int64_t channel) const {
    auto count = static_cast<WiderT<T>>(outer * inner);
    WiderT<T> sum = 0;
    for (std::int64_t o = 0; o < outer; ++o) {
      const T* row = in + (o * channels + channel) * inner;
      for (std::int64_t i = 0; i < inner; ++i) sum += row[i];
    }
    WiderT<T> average = sum / count;
    WiderT<T> squares = 0;
    for (std::int64_t o = 0; o < outer; ++o) {
      const T* row = in + (o * channels + channel) * inner;
      for (std::int64_t i = 0; i < inner; ++i) {
        WiderT<T> distance = row[i] - average;
        squares += distance * distance;
      }
    }
    normalise(channel, average, 1 / std::sqrt(squares / count + epsilon));
    if (running_mean != nullptr) {
      running_mean[channel] += static_cast<T>(momentum * (average - running_mean[channel]));
      running_var[channel] +=
          static_cast<T>(momentum * (squares / (count - 1) - running_var[channel]));
    }
  }

 private:
  PLACECHECK_HD void normalise(std::int64_t channel, WiderT<T> average, WiderT<T> scale) const {
    mean[channel] = static_cast<T>(average);
    inverse_deviation[channel] = static_cast<T>(scale);
    T gain = static_cast<T>(scale) * (weight == nullptr ? T(1) : weight[channel]);
    T shift = bias == nullptr ? T(0) : bias[channel];
    for (std::int64_t o = 0; o < outer; ++o) {
      std::int64_t start = (o * channels + channel) * inner;
      for (std::int64_t i = start; i < start + inner; ++i) {
        out[i] = (in[i] - mean[channel]) * gain + shift;
      }
    }
  }
};

template <typename T>
struct BatchNormEval {
  static constexpr const char* kName = "batch_norm_eval";
  T* out;
  T* mean;
  T* inverse_deviation;
  const T* in;
  const T* weight;
  const T* bias;
  const T* running_mean;
  const T* running_var;
  std::int64_t outer;
  std::int64_t channels;
  std::int64_t inner;
  double epsilon;

  PLACECHECK_HD void operator()(std::int64_t channel) const {
    mean[channel] = running_mean[channel];
    inverse_deviation[channel] = static_cast<T>(1 / std::sqrt(running_var[channel] + epsilon));
    T gain = inverse_deviation[channel] * (weight == nullptr ? T(1) : weight[channel]);
    T shift = bias == nullptr ? T(0) : bias[channel];
    for (std::int64_t o = 0; o < outer; ++o) {
      std::int64_t start = (o * channels + channel) * inner;
      for (std::int64_t i = start; i < start + inner; ++i) {
        out[i] = (in[i] - mean[channel]) * gain + shift;
      }
    }
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
  std::int64_t outer;
  std::int64_t channels;
  std::int64_t inner;
  bool is_training;

  PLACECHECK_HD void operator()(std::int64_t channel) const {
    WiderT<T> sum = 0;
    WiderT<T> product = 0;
    for (std::int64_t o = 0; o < outer; ++o) {
      std::int64_t start = (o * channels + channel) * inner;
      for (std::int64_t i = start; i < start + inner; ++i) {
        sum += grad[i];
        product += grad[i] * normalised(channel, i);
      }
    }
    grad_weight[channel] = static_cast<T>(product);
    grad_bias[channel] = static_cast<T>(sum);
    WiderT<T> count = is_training ? static_cast<WiderT<T>>(outer * inner) : 0;
    T offset = is_training ? static_cast<T>(sum / count) : T(0);
    T slope = is_training ? static_cast<T>(product / count) : T(0);
    T gain = inverse_deviation[channel] * (weight == nullptr ? T(1) : weight[channel]);
    for (std::int64_t o = 0; o < outer; ++o) {
      std::int64_t start = (o * channels + channel) * inner;
      for (std::int64_t i = start; i < start + inner; ++i) {
        grad_in[i] = (grad[i] - offset - normalised(channel, i) * slope) * gain;
      }
    }
  }

 private:
  PLACECHECK_HD T normalised(std::int64_t channel, std::int64_t i) const {
    return (in[i] - mean[channel]) * inverse_deviation[channel];
  }
};

}  // namespace placecheck::runtime::kernels

#endif  // PLACECHECK_RUNTIME_TENSOR_KERNELS_CONV_H_
