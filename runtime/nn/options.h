// How layers are to be built; each setter gives the options back, so that they chain.
#ifndef PLACECHECK_RUNTIME_NN_OPTIONS_H_
#define PLACECHECK_RUNTIME_NN_OPTIONS_H_

#include <cstdint>

namespace placecheck::runtime::nn {

// A field with a getter and a chaining setter, both of its name.
#define PLACECHECK_OPTION(Type, name, initial) \
 public:                                       \
  auto& name(const Type& value) {              \
    name##_ = value;                           \
    return *this;                              \
  }                                            \
  const Type& name() const { return name##_; } \
                                               \
 private:                                      \
  Type name##_ = initial

class LinearOptions {
 public:
  LinearOptions(std::int64_t in, std::int64_t out) : in_features_(in), out_features_(out) {}
  PLACECHECK_OPTION(std::int64_t, in_features, 0);
  PLACECHECK_OPTION(std::int64_t, out_features, 0);
  PLACECHECK_OPTION(bool, bias, true);
};

class Conv2dOptions {
 public:
  Conv2dOptions(std::int64_t in, std::int64_t out, std::int64_t kernel)
      : in_channels_(in), out_channels_(out), kernel_size_(kernel) {}
  PLACECHECK_OPTION(std::int64_t, in_channels, 0);
  PLACECHECK_OPTION(std::int64_t, out_channels, 0);
  PLACECHECK_OPTION(std::int64_t, kernel_size, 0);
  PLACECHECK_OPTION(std::int64_t, stride, 1);
  PLACECHECK_OPTION(std::int64_t, padding, 0);
  PLACECHECK_OPTION(bool, bias, true);
};

class BatchNormOptions {
 public:
  explicit BatchNormOptions(std::int64_t features) : num_features_(features) {}
  PLACECHECK_OPTION(std::int64_t, num_features, 0);
  PLACECHECK_OPTION(double, eps, 1e-5);
  PLACECHECK_OPTION(double, momentum, 0.1);
  PLACECHECK_OPTION(bool, affine, true);
  PLACECHECK_OPTION(bool, track_running_stats, true);
};

}  // namespace placecheck::runtime::nn

#endif  // PLACECHECK_RUNTIME_NN_OPTIONS_H_
