// Kernels of the losses: softmax over rows, and the likelihood of targets.
#ifndef PLACECHECK_RUNTIME_TENSOR_KERNELS_LOSS_H_
#define PLACECHECK_RUNTIME_TENSOR_KERNELS_LOSS_H_

#include <cmath>
#include <cstdint>

#include "runtime/backend/kernel.h"
#include "runtime/tensor/kernels/reduce.h"

namespace placecheck::runtime::kernels {

// One row an index.
template <typename T>
struct Softmax {
  static constexpr const char* kName = "softmax";
  T* out;
  const T* in;
  std::int64_t length;
  bool is_log;

  std::int64_t index_work() const { return 4 * length; }
  PLACECHECK_HD void operator()(std::int64_t row) const {
    using Number = ComputeT<T>;
    const T* x = in + row * length;
    T* y = out + row * length;
    Number largest = x[0];
    for (std::int64_t i = 1; i < length; ++i) largest = x[i] > largest ? Number(x[i]) : largest;
    WiderT<T> total = 0;
    for (std::int64_t i = 0; i < length; ++i) total += std::exp(x[i] - largest);
    auto log_total = static_cast<Number>(std::log(total));
    auto scale = static_cast<Number>(1 / total);
    for (std::int64_t i = 0; i < length; ++i) {
      y[i] = is_log ? x[i] - largest - log_total : std::exp(x[i] - largest) * scale;
    }
  }
};

// From the result: g - exp(y) sum(g), or y (g - sum(g y)).
template <typename T>
struct SoftmaxGrad {
  static constexpr const char* kName = "softmax_grad";
  T* out;
  const T* grad;
  const T* result;
  std::int64_t length;
  bool is_log;

  std::int64_t index_work() const { return 4 * length; }
  PLACECHECK_HD void operator()(std::int64_t row) const {
    using Number = ComputeT<T>;
    const T* g = grad + row * length;
    const T* y = result + row * length;
    WiderT<T> total = 0;
    for (std::int64_t i = 0; i < length; ++i) total += is_log ? Number(g[i]) : g[i] * y[i];
    auto sum = static_cast<Number>(total);
    for (std::int64_t i = 0; i < length; ++i) {
      Number value = y[i];
      out[row * length + i] = is_log ? g[i] - std::exp(value) * sum : value * (g[i] - sum);
    }
  }
};

// All rows at once: there is one number to make. `weight_of_one` becomes what each row counts.
template <typename T>
struct NllLoss {
  static constexpr const char* kName = "nll_loss";
  T* out;
  ComputeT<T>* weight_of_one;
  const T* in;
  const std::int64_t* target;
  std::int64_t rows;
  std::int64_t classes;
  std::int64_t ignored;
  bool is_mean;

  std::int64_t index_work() const { return rows; }
  PLACECHECK_HD void operator()(std::int64_t) const {
    WiderT<T> total = 0;
    std::int64_t counted = 0;
    for (std::int64_t row = 0; row < rows; ++row) {
      if (target[row] == ignored) continue;
      kernel_assert(target[row] >= 0 && target[row] < classes);
      total -= in[row * classes + target[row]];
      ++counted;
    }
    *weight_of_one = static_cast<ComputeT<T>>(is_mean ? WiderT<T>(1) / counted : 1);
    *out = static_cast<T>(is_mean ? total / counted : total);
  }
};

template <typename T>
struct NllLossGrad {
  static constexpr const char* kName = "nll_loss_grad";
  T* out;
  const T* grad;
  const ComputeT<T>* weight_of_one;
  const std::int64_t* target;
  std::int64_t classes;
  std::int64_t ignored;

  std::int64_t index_work() const { return classes; }
  PLACECHECK_HD void operator()(std::int64_t row) const {
    for (std::int64_t i = 0; i < classes; ++i) out[row * classes + i] = T(0);
    if (target[row] != ignored) out[row * classes + target[row]] = -*grad * *weight_of_one;
  }
};

// A row of the weight for every index.
template <typename T>
struct Embedding {
  static constexpr const char* kName = "embedding";
  T* out;
  const T* weight;
  const std::int64_t* indices;
  std::int64_t rows;
  std::int64_t width;

  PLACECHECK_HD void operator()(std::int64_t i) const {
    std::int64_t row = indices[i / width];
    kernel_assert(row >= 0 && row < rows);
    out[i] = weight[row * width + i % width];
  }
};

// One column of the weight an index, so that no two write the same place and the order is fixed.
template <typename T>
struct EmbeddingGrad {
  static constexpr const char* kName = "embedding_grad";
  T* out;
  const T* grad;
  const std::int64_t* indices;
  std::int64_t count;
  std::int64_t width;
  std::int64_t padding;

  std::int64_t index_work() const { return count; }
  PLACECHECK_HD void operator()(std::int64_t column) const {
    for (std::int64_t i = 0; i < count; ++i) {
      if (indices[i] == padding) continue;
      out[indices[i] * width + column] += grad[i * width + column];
    }
  }
};

}  // namespace placecheck::runtime::kernels

#endif  // PLACECHECK_RUNTIME_TENSOR_KERNELS_LOSS_H_
