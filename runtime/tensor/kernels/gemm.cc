// On a host: OpenBLAS, one thread a product; devices work side by side instead.
#include "runtime/tensor/kernels/gemm.h"

#include <cblas.h>

#include <mutex>

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

}  // namespace placecheck::runtime::kernels
