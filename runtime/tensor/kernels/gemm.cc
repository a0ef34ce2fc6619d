// On a host: OpenBLAS, one thread a product; devices work side by side instead.
#include "runtime/tensor/kernels/gemm.h"

#include <cblas.h>

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <vector>

namespace placecheck::runtime::kernels {
namespace {

void use_one_thread() {
  static std::once_flag once;
  std::call_once(once, [] { openblas_set_num_threads(1); });
}

CBLAS_TRANSPOSE transposed(bool is_transposed) { return is_transposed ? CblasTrans : CblasNoTrans; }

}  // namespace

template <>
void Gemm<float>::run() const {
  use_one_thread();
  cblas_sgemm(CblasRowMajor, transposed(a_is_transposed), transposed(b_is_transposed), rows,
              columns, depth, alpha, a, stride_a, b, stride_b, beta, c, stride_c);
}

template <>
void Gemm<double>::run() const {
  use_one_thread();
  cblas_dgemm(CblasRowMajor, transposed(a_is_transposed), transposed(b_is_transposed), rows,
              columns, depth, alpha, a, stride_a, b, stride_b, beta, c, stride_c);
}

namespace {

// A matrix of halves as one of floats, without gaps between its rows.
std::vector<float> widened(const Half* from, int rows, int columns, int stride) {
  std::vector<float> dense;
  dense.reserve(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
  for (int row = 0; row < rows; ++row) {
    const Half* start = from + std::ptrdiff_t{row} * stride;
    dense.insert(dense.end(), start, start + columns);
  }
  return dense;
}

}  // namespace

// OpenBLAS knows no halves: the sums are float's, as they are on a device.
template <>
void Gemm<Half, float>::run() const {
  int a_columns = a_is_transposed ? rows : depth;
  int b_columns = b_is_transposed ? depth : columns;
  std::vector<float> wide_a = widened(a, a_is_transposed ? depth : rows, a_columns, stride_a);
  std::vector<float> wide_b = widened(b, b_is_transposed ? columns : depth, b_columns, stride_b);
  auto wide = over<float>(c, wide_a.data(), wide_b.data());
  wide.stride_a = a_columns;
  wide.stride_b = b_columns;
  wide.run();
}

template <>
void Gemm<Half>::run() const {
  std::vector<float> sums = widened(c, rows, columns, stride_c);
  auto summed = over(sums.data(), a, b);
  summed.stride_c = columns;
  summed.run();
  for (int row = 0; row < rows; ++row) {
    std::copy_n(sums.begin() + std::ptrdiff_t{row} * columns, columns,
                c + std::ptrdiff_t{row} * stride_c);
  }
}

}  // namespace placecheck::runtime::kernels
