// Kernels that work element by element, and the small operations they apply.
#ifndef PLACECHECK_RUNTIME_TENSOR_KERNELS_ELEMENTWISE_H_
#define PLACECHECK_RUNTIME_TENSOR_KERNELS_ELEMENTWISE_H_

#include <cmath>
#include <cstdint>

#include "runtime/backend/kernel.h"
#include "runtime/core/half.h"
#include "runtime/core/random.h"
#include "runtime/tensor/kernels/strided.h"

namespace placecheck::runtime::kernels {

// clang-format off
struct Add { template <class T> PLACECHECK_HD static T apply(T a, T b) { return a + b; } };
struct Sub { template <class T> PLACECHECK_HD static T apply(T a, T b) { return a - b; } };
struct Mul { template <class T> PLACECHECK_HD static T apply(T a, T b) { return a * b; } };
struct Div { template <class T> PLACECHECK_HD static T apply(T a, T b) { return a / b; } };
struct Pow { template <class T> PLACECHECK_HD static T apply(T a, T b) { return std::pow(a, b); } };
struct Eq  { template <class T> PLACECHECK_HD static bool apply(T a, T b) { return a == b; } };
struct Gt  { template <class T> PLACECHECK_HD static bool apply(T a, T b) { return a > b; } };
// A gradient, through the result of the operation.
struct ReluGrad    { template <class T> PLACECHECK_HD static T apply(T g, T y) { return y > 0 ? g : T(0); } };
struct SigmoidGrad { template <class T> PLACECHECK_HD static T apply(T g, T y) { return g * y * (1 - y); } };
struct TanhGrad    { template <class T> PLACECHECK_HD static T apply(T g, T y) { return g * (1 - y * y); } };

struct Neg     { template <class T> PLACECHECK_HD static T apply(T a) { return -a; } };
struct Exp     { template <class T> PLACECHECK_HD static T apply(T a) { return std::exp(a); } };
struct Log     { template <class T> PLACECHECK_HD static T apply(T a) { return std::log(a); } };
struct Sqrt    { template <class T> PLACECHECK_HD static T apply(T a) { return std::sqrt(a); } };
struct Abs     { template <class T> PLACECHECK_HD static T apply(T a) { return a < 0 ? -a : a; } };
struct Sign    { template <class T> PLACECHECK_HD static T apply(T a) { return T(a > 0) - T(a < 0); } };
struct Relu    { template <class T> PLACECHECK_HD static T apply(T a) { return a > 0 ? a : T(0); } };
struct Sigmoid { template <class T> PLACECHECK_HD static T apply(T a) { return 1 / (1 + std::exp(-a)); } };
struct Tanh    { template <class T> PLACECHECK_HD static T apply(T a) { return std::tanh(a); } };
// clang-format on

template <typename Op, typename T>
struct Unary {
  static constexpr const char* kName = "unary";
  T* out;
  const T* a;
  PLACECHECK_HD void operator()(std::int64_t i) const { out[i] = T(Op::apply(ComputeT<T>(a[i]))); }
};

// Two tensors of one shape, both without gaps.
template <typename Op, typename T, typename Result = T>
struct Binary {
  static constexpr const char* kName = "binary";
  Result* out;
  const T* a;
  const T* b;
  PLACECHECK_HD void operator()(std::int64_t i) const {
    out[i] = Result(Op::apply(ComputeT<T>(a[i]), ComputeT<T>(b[i])));
  }
};

// A tensor and a number known on the host.
template <typename Op, typename T, typename Result = T>
struct BinaryNumber {
  static constexpr const char* kName = "binary_number";
  Result* out;
  const T* a;
  ComputeT<T> number;
  PLACECHECK_HD void operator()(std::int64_t i) const {
    out[i] = Result(Op::apply(ComputeT<T>(a[i]), number));
  }
};

template <typename Op, typename T, typename Result = T>
struct NumberBinary {
  static constexpr const char* kName = "number_binary";
  Result* out;
  ComputeT<T> number;
  const T* b;
  PLACECHECK_HD void operator()(std::int64_t i) const {
    out[i] = Result(Op::apply(number, ComputeT<T>(b[i])));
  }
};

// Any two tensors that broadcast to the result's shape.
template <typename Op, typename T, typename Result = T>
struct BinaryStrided {
  static constexpr const char* kName = "binary_strided";
  Result* out;
  const T* a;
  const T* b;
  Strided at_a;
  Strided at_b;
  PLACECHECK_HD void operator()(std::int64_t i) const {
    out[i] = Result(Op::apply(ComputeT<T>(a[at_a(i)]), ComputeT<T>(b[at_b(i)])));
  }
};

template <typename T>
struct Fill {
  static constexpr const char* kName = "fill";
  T* out;
  T value;
  PLACECHECK_HD void operator()(std::int64_t i) const { out[i] = value; }
};

template <typename T>
struct FillStrided {
  static constexpr const char* kName = "fill_strided";
  T* out;
  Strided at_out;
  T value;
  PLACECHECK_HD void operator()(std::int64_t i) const { out[at_out(i)] = value; }
};

// Copies between layouts and types on one device.
template <typename To, typename From>
struct Convert {
  static constexpr const char* kName = "convert";
  To* out;
  const From* in;
  Strided at_out;
  Strided at_in;
  PLACECHECK_HD void operator()(std::int64_t i) const {
    out[at_out(i)] = static_cast<To>(in[at_in(i)]);
  }

  void host_range(std::int64_t begin, std::int64_t end) const {
    for_each_run(at_out, at_in, begin, end, [&](std::int64_t first, std::int64_t last) {
      To* to = out + at_out(first);
      const From* from = in + at_in(first);
      for (std::int64_t i = 0; i < last - first; ++i) {
        to[i * at_out.step()] = static_cast<To>(from[i * at_in.step()]);
      }
    });
  }
};

template <typename T>
struct Count {
  static constexpr const char* kName = "arange";
  T* out;
  PLACECHECK_HD void operator()(std::int64_t i) const { out[i] = static_cast<T>(i); }
};

template <typename T>
struct Uniform {
  static constexpr const char* kName = "uniform";
  T* out;
  std::uint64_t seed;
  std::uint64_t first;
  double low;
  double high;
  PLACECHECK_HD void operator()(std::int64_t i) const {
    out[i] = static_cast<T>(low + (high - low) * uniform_at(seed, first + i));
  }
};

template <typename T>
struct Normal {
  static constexpr const char* kName = "normal";
  T* out;
  std::uint64_t seed;
  std::uint64_t first;
  PLACECHECK_HD void operator()(std::int64_t i) const {
    double radius = std::sqrt(-2 * std::log(1 - uniform_at(seed, first + 2 * i)));
    double angle = 6.283185307179586 * uniform_at(seed, first + 2 * i + 1);
    out[i] = static_cast<T>(radius * std::cos(angle));
  }
};

// Zeroes an element with some probability. The same range of random numbers gives the same mask, so
// that the backward pass needs no other memory of it.
template <typename T>
struct Dropout {
  static constexpr const char* kName = "dropout";
  T* out;
  const T* in;
  std::uint64_t seed;
  std::uint64_t first;
  double probability;
  ComputeT<T> scale;
  PLACECHECK_HD void operator()(std::int64_t i) const {
    bool is_dropped = uniform_at(seed, first + i) < probability;
    out[i] = T(is_dropped ? ComputeT<T>(0) : in[i] * scale);
  }
};

}  // namespace placecheck::runtime::kernels

#endif  // PLACECHECK_RUNTIME_TENSOR_KERNELS_ELEMENTWISE_H_
