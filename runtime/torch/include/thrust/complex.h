// In place of a header of the CUDA toolkit: complex numbers as libtorch's own headers use them
// where a compiler for CUDA reads them. Computed by the standard library, on the host.
#ifndef PLACECHECK_RUNTIME_TORCH_INCLUDE_THRUST_COMPLEX_H_
#define PLACECHECK_RUNTIME_TORCH_INCLUDE_THRUST_COMPLEX_H_

#if !defined(PLACECHECK_NO_CUDA_TOOLKIT) && __has_include(<cuda_runtime_api.h>)
#include_next <thrust/complex.h>
#else

#include <cmath>
#include <complex>
#include <type_traits>

namespace thrust {

// NOLINTBEGIN(google-explicit-constructor, hicpp-explicit-conversions): as NVIDIA's.

template <typename T>
struct complex : std::complex<T> {
  using std::complex<T>::complex;
  constexpr complex(const std::complex<T>& value) : std::complex<T>(value) {}
  template <typename U>
  constexpr complex(const complex<U>& value)
      : std::complex<T>(static_cast<T>(value.real()), static_cast<T>(value.imag())) {}
};

// NOLINTEND(google-explicit-constructor, hicpp-explicit-conversions)

template <typename T>
const std::complex<T>& as_std(const complex<T>& value) {
  return value;
}

template <typename T>
T abs(const complex<T>& value) {
  return std::abs(as_std(value));
}

template <typename T>
complex<T> polar(const T& radius, const T& angle = T()) {
  return std::polar(radius, angle);
}

#define PLACECHECK_OF_COMPLEX(function)          \
  template <typename T>                          \
  complex<T> function(const complex<T>& value) { \
    return std::function(as_std(value));         \
  }
PLACECHECK_OF_COMPLEX(acos)
PLACECHECK_OF_COMPLEX(acosh)
PLACECHECK_OF_COMPLEX(asin)
PLACECHECK_OF_COMPLEX(asinh)
PLACECHECK_OF_COMPLEX(atan)
PLACECHECK_OF_COMPLEX(atanh)
PLACECHECK_OF_COMPLEX(cos)
PLACECHECK_OF_COMPLEX(cosh)
PLACECHECK_OF_COMPLEX(exp)
PLACECHECK_OF_COMPLEX(log)
PLACECHECK_OF_COMPLEX(log10)
PLACECHECK_OF_COMPLEX(sin)
PLACECHECK_OF_COMPLEX(sinh)
PLACECHECK_OF_COMPLEX(sqrt)
PLACECHECK_OF_COMPLEX(tan)
PLACECHECK_OF_COMPLEX(tanh)
#undef PLACECHECK_OF_COMPLEX

template <typename T, typename U>
auto pow(const complex<T>& base, const complex<U>& exponent) {
  using Common = std::common_type_t<T, U>;
  return complex<Common>(
      std::pow(as_std(complex<Common>(base)), as_std(complex<Common>(exponent))));
}
template <typename T, typename U>
auto pow(const complex<T>& base, const U& exponent) {
  return pow(base, complex<U>(exponent));
}
template <typename T, typename U>
auto pow(const T& base, const complex<U>& exponent) {
  return pow(complex<T>(base), exponent);
}

}  // namespace thrust

#endif
#endif  // PLACECHECK_RUNTIME_TORCH_INCLUDE_THRUST_COMPLEX_H_
