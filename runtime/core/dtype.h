// Element types, their names in messages, and the step from a run-time type to a compile-time one.
#ifndef PLACECHECK_RUNTIME_CORE_DTYPE_H_
#define PLACECHECK_RUNTIME_CORE_DTYPE_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "runtime/core/check.h"
#include "runtime/core/half.h"

namespace placecheck::runtime {

enum class ScalarType : std::uint8_t { kFloat, kDouble, kLong, kBool, kHalf };

inline constexpr ScalarType kFloat = ScalarType::kFloat;
inline constexpr ScalarType kFloat32 = ScalarType::kFloat;
inline constexpr ScalarType kDouble = ScalarType::kDouble;
inline constexpr ScalarType kFloat64 = ScalarType::kDouble;
inline constexpr ScalarType kLong = ScalarType::kLong;
inline constexpr ScalarType kInt64 = ScalarType::kLong;
inline constexpr ScalarType kBool = ScalarType::kBool;
inline constexpr ScalarType kHalf = ScalarType::kHalf;
inline constexpr ScalarType kFloat16 = ScalarType::kHalf;

struct ScalarTypeRow {
  std::string_view name;    // "Float", as in CUDAFloatType
  std::string_view c_name;  // "float", as in "but got: float != double"
  std::string_view python_name;
  std::size_t size;
};

inline constexpr ScalarTypeRow kScalarTypes[] = {{"Float", "float", "torch.float32", 4},
                                                 {"Double", "double", "torch.float64", 8},
                                                 {"Long", "long int", "torch.int64", 8},
                                                 {"Bool", "bool", "torch.bool", 1},
                                                 {"Half", "c10::Half", "torch.float16", 2}};

constexpr const ScalarTypeRow& row_of(ScalarType type) {
  return kScalarTypes[static_cast<std::size_t>(type)];
}
constexpr std::size_t size_of(ScalarType type) { return row_of(type).size; }
constexpr bool is_floating(ScalarType type) {
  return type == kFloat || type == kDouble || type == kHalf;
}
// The type of what is still to be summed: ComputeT, at run time.
constexpr ScalarType compute_type(ScalarType type) { return type == kHalf ? kFloat : type; }

template <typename T>
struct ScalarTypeOf;
template <>
struct ScalarTypeOf<float> {
  static constexpr ScalarType kValue = kFloat;
};
template <>
struct ScalarTypeOf<double> {
  static constexpr ScalarType kValue = kDouble;
};
template <>
struct ScalarTypeOf<std::int64_t> {
  static constexpr ScalarType kValue = kLong;
};
template <>
struct ScalarTypeOf<bool> {
  static constexpr ScalarType kValue = kBool;
};

template <>
struct ScalarTypeOf<Half> {
  static constexpr ScalarType kValue = kHalf;
};

// Calls `body` with a value of the type in question; `op` is named where that type has no kernel.
template <typename Body>
void dispatch_floating(ScalarType type, std::string_view op, const Body& body) {
  if (type == kFloat) return body(float{});
  if (type == kDouble) return body(double{});
  throw Error(text_of('"', op, "\" not implemented for '", row_of(type).name, "'"));
}

// Kernels that store halves, too, and compute in float.
template <typename Body>
void dispatch_storable(ScalarType type, std::string_view op, const Body& body) {
  if (type == kHalf) return body(Half{});
  dispatch_floating(type, op, body);
}

template <typename Body>
void dispatch_numbers(ScalarType type, std::string_view op, const Body& body) {
  if (type == kLong) return body(std::int64_t{});
  dispatch_storable(type, op, body);
}

template <typename Body>
void dispatch_all(ScalarType type, std::string_view op, const Body& body) {
  if (type == kBool) return body(bool{});
  dispatch_numbers(type, op, body);
}

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_CORE_DTYPE_H_
