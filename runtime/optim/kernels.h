// One element's update.
#ifndef PLACECHECK_RUNTIME_OPTIM_KERNELS_H_
#define PLACECHECK_RUNTIME_OPTIM_KERNELS_H_

#include <cmath>
#include <cstdint>

#include "runtime/backend/kernel.h"

namespace placecheck::runtime::kernels {

template <typename T>
struct Sgd {
  static constexpr const char* kName = "sgd";
  T* parameter;
  const T* grad;
  T rate;
  T decay;

  PLACECHECK_HD void operator()(std::int64_t i) const {
    parameter[i] -= rate * (grad[i] + decay * parameter[i]);
  }
};

template <typename T>
struct SgdMomentum {
  static constexpr const char* kName = "sgd_momentum";
  T* parameter;
  const T* grad;
  T* buffer;
  T rate;
  T decay;
  T momentum;
  T fresh;  // how much of the gradient enters the buffer
  bool is_nesterov;

  PLACECHECK_HD void operator()(std::int64_t i) const {
    T g = grad[i] + decay * parameter[i];
    buffer[i] = momentum * buffer[i] + fresh * g;
    parameter[i] -= rate * (is_nesterov ? g + momentum * buffer[i] : buffer[i]);
  }
};

template <typename T>
struct AdamStep {
  static constexpr const char* kName = "adam";
  T* parameter;
  const T* grad;
  T* average;
  T* square_average;
  T step_size;
  T beta1;
  T beta2;
  T epsilon;
  T decay;
  T inverse_correction;  // 1 / sqrt(1 - beta2^steps)

  PLACECHECK_HD void operator()(std::int64_t i) const {
    T g = grad[i] + decay * parameter[i];
    average[i] = beta1 * average[i] + (1 - beta1) * g;
    square_average[i] = beta2 * square_average[i] + (1 - beta2) * g * g;
    T deviation = std::sqrt(square_average[i]) * inverse_correction + epsilon;
    parameter[i] -= step_size * average[i] / deviation;
  }
};

}  // namespace placecheck::runtime::kernels

#endif  // PLACECHECK_RUNTIME_OPTIM_KERNELS_H_
