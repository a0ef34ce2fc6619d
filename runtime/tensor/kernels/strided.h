// From the number of an element, row by row, to its place in memory.
#ifndef PLACECHECK_RUNTIME_TENSOR_KERNELS_STRIDED_H_
#define PLACECHECK_RUNTIME_TENSOR_KERNELS_STRIDED_H_

#include <algorithm>
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

  // The innermost dimension: how many elements follow one another with the same step.
  PLACECHECK_HD std::int64_t run_length() const { return dims == 0 ? 1 : sizes[dims - 1]; }
  PLACECHECK_HD std::int64_t step() const { return dims == 0 ? 0 : strides[dims - 1]; }
};

// visit(first, last) for the stretches of [begin, end) in which neither layout changes its step;
// for hosts, which are slow to divide.
template <typename Visit>
void for_each_run(const Strided& a, const Strided& b, std::int64_t begin, std::int64_t end,
                  const Visit& visit) {
  std::int64_t shorter = std::min(a.run_length(), b.run_length());
  bool fit = a.run_length() % shorter == 0 && b.run_length() % shorter == 0;
  std::int64_t length = fit ? shorter : 1;
  for (std::int64_t i = begin; i < end;) {
    std::int64_t last = std::min(end, i - i % length + length);
    visit(i, last);
    i = last;
  }
}

// Neighbouring dimensions that lie in one stretch become one. Throws Error for too many.
Strided strided(const Shape& sizes, const Shape& strides);

}  // namespace placecheck::runtime::kernels

#endif  // PLACECHECK_RUNTIME_TENSOR_KERNELS_STRIDED_H_
