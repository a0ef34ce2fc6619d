// From the number of an element, row by row, to its place in memory.
#ifndef PLACECHECK_RUNTIME_TENSOR_KERNELS_STRIDED_H_
#define PLACECHECK_RUNTIME_TENSOR_KERNELS_STRIDED_H_

#include <cstdint>

#include "runtime/core/host_device.h"
#include "runtime/core/shape.h"

namespace placecheck::runtime::kernels {

inline constexpr int kStridedDims = 6;

struct Strided {
  std::int32_t dims = 0;
  std::int64_t sizes[kStridedDims] = {};
  std::int64_t strides[kStridedDims] = {};

  PLACECHECK_HD std::int64_t operator()(std::int64_t i) const {
    std::int64_t offset = 0;
    for (int d = dims - 1; d > 0; --d) {
      offset += i % sizes[d] * strides[d];
      i /= sizes[d];
    }
    return dims == 0 ? 0 : offset + i * strides[0];
  }
};

// Neighbouring dimensions that lie in one stretch become one. Throws Error for too many.
Strided strided(const Shape& sizes, const Shape& strides);

}  // namespace placecheck::runtime::kernels

#endif  // PLACECHECK_RUNTIME_TENSOR_KERNELS_STRIDED_H_
