// Half: sixteen bits of floating point (IEEE binary16), for storage. It converts to and from float,
// rounding to the nearest, ties to even; arithmetic is float's. A plain value, the same on hosts
// and on devices.
#ifndef PLACECHECK_RUNTIME_CORE_HALF_H_
#define PLACECHECK_RUNTIME_CORE_HALF_H_

#include <cstdint>
#include <cstring>

#include "runtime/core/host_device.h"

namespace placecheck::runtime {

namespace detail {

// mantissa / 2^shift, to the nearest, ties to even.
PLACECHECK_HD inline std::uint32_t rounded_shift(std::uint32_t mantissa, std::uint32_t shift) {
  std::uint32_t result = mantissa >> shift;
  std::uint32_t rest = mantissa & ((1u << shift) - 1);
  std::uint32_t tie = 1u << (shift - 1);
  return result + (rest > tie || (rest == tie && (result & 1) != 0) ? 1 : 0);
}

PLACECHECK_HD inline std::uint16_t half_bits(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000);
  bits &= 0x7fffffff;
  std::uint32_t result = 0;
  if (bits > 0x7f800000) {
    result = 0x7e00;  // not a number
  } else if (bits >= 0x477ff000) {
    result = 0x7c00;  // from 65520 on, what is nearest is infinity
  } else if (bits >= 0x38800000) {
    result = rounded_shift(bits - 0x38000000, 13);
  } else if (bits > 0x33000000) {
    result = rounded_shift((bits & 0x7fffff) | 0x800000, 126 - (bits >> 23));
  }
  return static_cast<std::uint16_t>(sign | result);
}

PLACECHECK_HD inline float float_of_half(std::uint16_t half) {
  std::uint32_t exponent = half >> 10 & 0x1f;
  std::uint32_t mantissa = half & 0x3ff;
  std::uint32_t bits =
      exponent == 31 ? 0x7f800000 | mantissa << 13 : (exponent + 112) << 23 | mantissa << 13;
  if (exponent == 0) {
    float small = static_cast<float>(mantissa) * 5.9604644775390625e-8f;  // 2^-24
    std::memcpy(&bits, &small, sizeof bits);
  }
  bits |= static_cast<std::uint32_t>(half & 0x8000) << 16;
  float result = 0;
  std::memcpy(&result, &bits, sizeof result);
  return result;
}

}  // namespace detail

struct Half {
  std::uint16_t bits;

  Half() = default;
  PLACECHECK_HD Half(float value) : bits(detail::half_bits(value)) {}
  PLACECHECK_HD operator float() const { return detail::float_of_half(bits); }
};

// The type in which a kernel computes with elements of type T.
template <typename T>
struct Compute {
  using Type = T;
};
template <>
struct Compute<Half> {
  using Type = float;
};
template <typename T>
using ComputeT = typename Compute<T>::Type;

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_CORE_HALF_H_
