// One element's update.
#ifndef PLACECHECK_RUNTIME_OPTIM_KERNELS_H_
#define PLACECHECK_RUNTIME_OPTIM_KERNELS_H_

#include <cmath>
#include <cstdint>

#include "runtime/backend/kernel.h"
#include "runtime/core/half.h"

namespace placecheck::runtime::kernels {

template <typename T>
struct Sgd {
  static constexpr const char* kName = "sgd";
  using Number = ComputeT<T>;
  T* parameter;
  const T* grad;
  Number rate;
  Number decay;

  PLACECHECK_HD void operator()(std::int64_t i) const {
    Number value = parameter[i];
    parameter[i] = value - rate * (Number(grad[i]) + decay * value);
  }
};

template <typename T>
struct SgdMomentum {
  static constexpr const char* kName = "sgd_momentum";
  using Number = ComputeT<T>;
  T* parameter;
  const T* grad;
  T* buffer;
  Number rate;
  Number decay;
  Number momentum;
  Number fresh;  // how much of the gradient enters the buffer
  bool is_nesterov;

  PLACECHECK_HD void operator()(std::int64_t i) const {
    Number value = parameter[i];
    Number g = Number(grad[i]) + decay * value;
    Number moved = momentum * Number(buffer[i]) + fresh * g;
    buffer[i] = moved;
    parameter[i] = value - rate * (is_nesterov ? g + momentum * moved : moved);
  }
};

template <typename T>
struct AdamStep {
  static constexpr const char* kName = "adam";
  using Number = ComputeT<T>;
  T* parameter;
  const T* grad;
  T* average;
  T* square_average;
  Number step_size;
  Number beta1;
  Number beta2;
  Number epsilon;
  Number decay;
  Number inverse_correction;  // 1 / sqrt(1 - beta2^steps)

  PLACECHECK_HD void operator()(std::int64_t i) const {
    Number value = parameter[i];
    Number g = Number(grad[i]) + decay * value;
    Number mean = beta1 * Number(average[i]) + (1 - beta1) * g;
    Number square = beta2 * Number(square_average[i]) + (1 - beta2) * g * g;
    average[i] = mean;
    square_average[i] = square;
    parameter[i] = value - step_size * mean / (std::sqrt(square) * inverse_correction + epsilon);
  }
};

}  // namespace placecheck::runtime::kernels

#endif  // PLACECHECK_RUNTIME_OPTIM_KERNELS_H_
