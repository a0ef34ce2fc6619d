// Kernels that reduce: an input of [outer, length, inner] to [outer, inner].
#ifndef PLACECHECK_RUNTIME_TENSOR_KERNELS_REDUCE_H_
#define PLACECHECK_RUNTIME_TENSOR_KERNELS_REDUCE_H_

#include <algorithm>
#include <cstdint>

#include "runtime/backend/kernel.h"
#include "runtime/core/half.h"

namespace placecheck::runtime::kernels {

template <typename T>
struct Wider {
  using Type = T;
};
template <>
struct Wider<float> {
  using Type = double;
};
template <>
struct Wider<Half> {
  using Type = float;
};
template <typename T>
using WiderT = typename Wider<T>::Type;

template <typename T>
struct Sum {
  static constexpr const char* kName = "sum";
  T* out;
  const T* in;
  std::int64_t length;
  std::int64_t inner;
  ComputeT<T> scale;

  std::int64_t index_work() const { return length; }
  PLACECHECK_HD void operator()(std::int64_t i) const {
    const T* start = in + i / inner * length * inner + i % inner;
    WiderT<T> total = 0;
    for (std::int64_t r = 0; r < length; ++r) total += start[r * inner];
    out[i] = static_cast<T>(total * scale);
  }

  // Neighbouring sums together, so that memory is read in its order.
  void host_range(std::int64_t begin, std::int64_t end) const {
    if (inner == 1) {
      for (std::int64_t i = begin; i < end; ++i) out[i] = row_sum(in + i * length);
      return;
    }
    constexpr std::int64_t kTile = 64;
    for (std::int64_t i = begin; i < end;) {
      std::int64_t column = i % inner;
      std::int64_t width = std::min({kTile, inner - column, end - i});
      sum_tile(in + i / inner * length * inner + column, width, out + i);
      i += width;
    }
  }

 private:
  T row_sum(const T* row) const {
    WiderT<T> part[4] = {};
    std::int64_t r = 0;
    for (; r + 4 <= length; r += 4) {
      for (int lane = 0; lane < 4; ++lane) part[lane] += row[r + lane];
    }
    for (; r < length; ++r) part[0] += row[r];
    return static_cast<T>((part[0] + part[1] + part[2] + part[3]) * scale);
  }

  void sum_tile(const T* start, std::int64_t width, T* to) const {
    WiderT<T> total[64] = {};
    for (std::int64_t r = 0; r < length; ++r) {
      for (std::int64_t c = 0; c < width; ++c) total[c] += start[r * inner + c];
    }
    for (std::int64_t c = 0; c < width; ++c) to[c] = static_cast<T>(total[c] * scale);
  }
};

template <typename T>
struct ArgMax {
  static constexpr const char* kName = "argmax";
  std::int64_t* out;
  const T* in;
  std::int64_t length;
  std::int64_t inner;

  std::int64_t index_work() const { return length; }
  PLACECHECK_HD void operator()(std::int64_t i) const {
    const T* start = in + i / inner * length * inner + i % inner;
    std::int64_t best = 0;
    for (std::int64_t r = 1; r < length; ++r) {
      if (start[r * inner] > start[best * inner]) best = r;
    }
    out[i] = best;
  }
};

}  // namespace placecheck::runtime::kernels

#endif  // PLACECHECK_RUNTIME_TENSOR_KERNELS_REDUCE_H_
