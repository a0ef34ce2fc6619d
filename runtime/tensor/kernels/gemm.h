// The product of two matrices: c = alpha * a b + beta * c, row by row. A product of halves may be
// one of floats, for those who sum up several.
#ifndef PLACECHECK_RUNTIME_TENSOR_KERNELS_GEMM_H_
#define PLACECHECK_RUNTIME_TENSOR_KERNELS_GEMM_H_

#include <cstdint>

#include "runtime/backend/kernel.h"
#include "runtime/core/half.h"

namespace placecheck::runtime::kernels {

template <typename T, typename Out = T>
struct Gemm {
  static constexpr const char* kName = "gemm";
  Out* c;
  const T* a;
  const T* b;
  int rows;     // of c
  int columns;  // of c
  int depth;
  int stride_a;  // between rows of a, or of its transpose
  int stride_b;
  int stride_c;
  bool a_is_transposed;
  bool b_is_transposed;
  ComputeT<T> alpha;
  ComputeT<T> beta;

  // BLAS multiplies several numbers in the time that others touch one.
  std::int64_t index_work() const { return std::int64_t{rows} * columns * depth / 4; }
  void run() const;

  // The same product of other matrices, whose strides may differ.
  template <typename From, typename To>
  Gemm<From, To> over(To* c, const From* a, const From* b) const {
    return {.c = c,
            .a = a,
            .b = b,
            .rows = rows,
            .columns = columns,
            .depth = depth,
            .stride_a = stride_a,
            .stride_b = stride_b,
            .stride_c = stride_c,
            .a_is_transposed = a_is_transposed,
            .b_is_transposed = b_is_transposed,
            .alpha = alpha,
            .beta = beta};
  }
};

}  // namespace placecheck::runtime::kernels

#endif  // PLACECHECK_RUNTIME_TENSOR_KERNELS_GEMM_H_
