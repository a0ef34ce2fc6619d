// The routines of cuBLAS: which of their arguments lead to memory of the device. What scales
// (`alpha`, `beta`) and what is returned may be on either side; lists of pointers lie on the device
// themselves.
#include "runtime/cuda/blas.h"

using placecheck::cuda::run;
using placecheck::cuda::run_for;

// `S` names the element type `T` in the routines' names.
// NOLINTBEGIN(bugprone-macro-parentheses): a type.
#define PLACECHECK_VECTOR_ROUTINES(S, T)                                                          \
  cublasStatus_t cublas##S##axpy_v2(cublasHandle_t handle, int, const T*, const T* x, int, T* y,  \
                                    int) {                                                        \
    return run(handle, "cublas" #S "axpy", {x, y});                                               \
  }                                                                                               \
  cublasStatus_t cublas##S##copy_v2(cublasHandle_t handle, int, const T* x, int, T* y, int) {     \
    return run(handle, "cublas" #S "copy", {x, y});                                               \
  }                                                                                               \
  cublasStatus_t cublas##S##swap_v2(cublasHandle_t handle, int, T* x, int, T* y, int) {           \
    return run(handle, "cublas" #S "swap", {x, y});                                               \
  }                                                                                               \
  cublasStatus_t cublas##S##scal_v2(cublasHandle_t handle, int, const T*, T* x, int) {            \
    return run(handle, "cublas" #S "scal", {x});                                                  \
  }                                                                                               \
  cublasStatus_t cublas##S##dot_v2(cublasHandle_t handle, int, const T* x, int, const T* y, int,  \
                                   T* result) {                                                   \
    return run_for(handle, "cublas" #S "dot", {x, y}, result);                                    \
  }                                                                                               \
  cublasStatus_t cublas##S##nrm2_v2(cublasHandle_t handle, int, const T* x, int, T* result) {     \
    return run_for(handle, "cublas" #S "nrm2", {x}, result);                                      \
  }                                                                                               \
  cublasStatus_t cublas##S##asum_v2(cublasHandle_t handle, int, const T* x, int, T* result) {     \
    return run_for(handle, "cublas" #S "asum", {x}, result);                                      \
  }                                                                                               \
  cublasStatus_t cublasI##S##amax_v2(cublasHandle_t handle, int, const T* x, int, int* result) {  \
    return run_for(handle, "cublasI" #S "amax", {x}, result);                                     \
  }                                                                                               \
  cublasStatus_t cublas##S##gemv_v2(cublasHandle_t handle, cublasOperation_t, int, int, const T*, \
                                    const T* a, int, const T* x, int, const T*, T* y, int) {      \
    return run(handle, "cublas" #S "gemv", {a, x, y});                                            \
  }                                                                                               \
  cublasStatus_t cublas##S##ger_v2(cublasHandle_t handle, int, int, const T*, const T* x, int,    \
                                   const T* y, int, T* a, int) {                                  \
    return run(handle, "cublas" #S "ger", {x, y, a});                                             \
  }
PLACECHECK_VECTOR_ROUTINES(S, float)
PLACECHECK_VECTOR_ROUTINES(D, double)

#define PLACECHECK_MATRIX_ROUTINES(S, T)                                                           \
  cublasStatus_t cublas##S##gemm_v2(cublasHandle_t handle, cublasOperation_t, cublasOperation_t,   \
                                    int, int, int, const T*, const T* a, int, const T* b, int,     \
                                    const T*, T* c, int) {                                         \
    return run(handle, "cublas" #S "gemm", {a, b, c});                                             \
  }                                                                                                \
  cublasStatus_t cublas##S##gemmStridedBatched(cublasHandle_t handle, cublasOperation_t,           \
                                               cublasOperation_t, int, int, int, const T*,         \
                                               const T* a, int, long long, const T* b, int,        \
                                               long long, const T*, T* c, int, long long, int) {   \
    return run(handle, "cublas" #S "gemmStridedBatched", {a, b, c});                               \
  }                                                                                                \
  cublasStatus_t cublas##S##gemmBatched(                                                           \
      cublasHandle_t handle, cublasOperation_t, cublasOperation_t, int, int, int, const T*,        \
      const T* const a[], int, const T* const b[], int, const T*, T* const c[], int, int) {        \
    return run(                                                                                    \
        handle, "cublas" #S "gemmBatched",                                                         \
        {static_cast<const void*>(a), static_cast<const void*>(b), static_cast<const void*>(c)});  \
  }                                                                                                \
  cublasStatus_t cublas##S##geam(cublasHandle_t handle, cublasOperation_t, cublasOperation_t, int, \
                                 int, const T*, const T* a, int, const T*, const T* b, int, T* c,  \
                                 int) {                                                            \
    return run(handle, "cublas" #S "geam", {a, b, c});                                             \
  }                                                                                                \
  cublasStatus_t cublas##S##syrk_v2(cublasHandle_t handle, cublasFillMode_t, cublasOperation_t,    \
                                    int, int, const T*, const T* a, int, const T*, T* c, int) {    \
    return run(handle, "cublas" #S "syrk", {a, c});                                                \
  }                                                                                                \
  cublasStatus_t cublas##S##trsm_v2(cublasHandle_t handle, cublasSideMode_t, cublasFillMode_t,     \
                                    cublasOperation_t, cublasDiagType_t, int, int, const T*,       \
                                    const T* a, int, T* b, int) {                                  \
    return run(handle, "cublas" #S "trsm", {a, b});                                                \
  }
PLACECHECK_MATRIX_ROUTINES(S, float)
PLACECHECK_MATRIX_ROUTINES(D, double)
// NOLINTEND(bugprone-macro-parentheses)

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t, cublasOperation_t, int, int,
                            int, const void*, const void* a, cudaDataType, int, const void* b,
                            cudaDataType, int, const void*, void* c, cudaDataType, int,
                            cublasComputeType_t, cublasGemmAlgo_t) {
  return run(handle, "cublasGemmEx", {a, b, c});
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t,
                                          cublasOperation_t, int, int, int, const void*,
                                          const void* a, cudaDataType, int, long long,
                                          const void* b, cudaDataType, int, long long, const void*,
                                          void* c, cudaDataType, int, long long, int,
                                          cublasComputeType_t, cublasGemmAlgo_t) {
  return run(handle, "cublasGemmStridedBatchedEx", {a, b, c});
}
