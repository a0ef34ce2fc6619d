// cuBLAS as far as //runtime/cuda serves it: handles, and the common routines on floats, doubles
// and typed pointers, by the names and with the binary layout of cuBLAS 13. Declarations only.
#ifndef PLACECHECK_RUNTIME_CUDA_INCLUDE_CUBLAS_V2_H_
#define PLACECHECK_RUNTIME_CUDA_INCLUDE_CUBLAS_V2_H_

// NOLINTBEGIN: the names are NVIDIA's.

#include "cuda_runtime_api.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cublasContext* cublasHandle_t;

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15
} cublasStatus_t;

typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 } cublasOperation_t;
typedef enum { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1 } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3
} cublasMath_t;
typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_32I = 72
} cublasComputeType_t;
typedef enum { CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99 } cublasGemmAlgo_t;
typedef enum cudaDataType_t {
  CUDA_R_32F = 0,
  CUDA_R_64F = 1,
  CUDA_R_16F = 2,
  CUDA_R_8I = 3,
  CUDA_R_32I = 10,
  CUDA_R_16BF = 14
} cudaDataType_t;
typedef cudaDataType_t cudaDataType;

#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasGetVersion cublasGetVersion_v2
#define cublasSetStream cublasSetStream_v2
#define cublasGetStream cublasGetStream_v2
#define cublasSetWorkspace cublasSetWorkspace_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasGetPointerMode cublasGetPointerMode_v2

cublasStatus_t cublasCreate(cublasHandle_t* handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int* version);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream);
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void* workspace, size_t bytes);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
const char* cublasGetStatusString(cublasStatus_t status);
const char* cublasGetStatusName(cublasStatus_t status);

cublasStatus_t cublasSetVector(int n, int element_size, const void* on_host, int host_step,
                               void* on_device, int device_step);
cublasStatus_t cublasGetVector(int n, int element_size, const void* on_device, int device_step,
                               void* on_host, int host_step);
cublasStatus_t cublasSetMatrix(int rows, int columns, int element_size, const void* on_host,
                               int host_rows, void* on_device, int device_rows);
cublasStatus_t cublasGetMatrix(int rows, int columns, int element_size, const void* on_device,
                               int device_rows, void* on_host, int host_rows);

#define cublasSaxpy cublasSaxpy_v2
#define cublasDaxpy cublasDaxpy_v2
#define cublasScopy cublasScopy_v2
#define cublasDcopy cublasDcopy_v2
#define cublasSswap cublasSswap_v2
#define cublasDswap cublasDswap_v2
#define cublasSscal cublasSscal_v2
#define cublasDscal cublasDscal_v2
#define cublasSdot cublasSdot_v2
#define cublasDdot cublasDdot_v2
#define cublasSnrm2 cublasSnrm2_v2
#define cublasDnrm2 cublasDnrm2_v2
#define cublasSasum cublasSasum_v2
#define cublasDasum cublasDasum_v2
#define cublasSgemv cublasSgemv_v2
#define cublasDgemv cublasDgemv_v2
#define cublasSger cublasSger_v2
#define cublasDger cublasDger_v2
#define cublasSgemm cublasSgemm_v2
#define cublasDgemm cublasDgemm_v2
#define cublasSsyrk cublasSsyrk_v2
#define cublasDsyrk cublasDsyrk_v2
#define cublasStrsm cublasStrsm_v2
#define cublasDtrsm cublasDtrsm_v2
#define cublasIsamax cublasIsamax_v2
#define cublasIdamax cublasIdamax_v2

// `S` names the element type `T` in the routines' names.
#define PLACECHECK_BLAS_ROUTINES(S, T)                                                             \
  cublasStatus_t cublas##S##axpy_v2(cublasHandle_t, int n, const T* alpha, const T* x, int incx,   \
                                    T* y, int incy);                                               \
  cublasStatus_t cublas##S##copy_v2(cublasHandle_t, int n, const T* x, int incx, T* y, int incy);  \
  cublasStatus_t cublas##S##swap_v2(cublasHandle_t, int n, T* x, int incx, T* y, int incy);        \
  cublasStatus_t cublas##S##scal_v2(cublasHandle_t, int n, const T* alpha, T* x, int incx);        \
  cublasStatus_t cublas##S##dot_v2(cublasHandle_t, int n, const T* x, int incx, const T* y,        \
                                   int incy, T* result);                                           \
  cublasStatus_t cublas##S##nrm2_v2(cublasHandle_t, int n, const T* x, int incx, T* result);       \
  cublasStatus_t cublas##S##asum_v2(cublasHandle_t, int n, const T* x, int incx, T* result);       \
  cublasStatus_t cublasI##S##amax_v2(cublasHandle_t, int n, const T* x, int incx, int* result);    \
  cublasStatus_t cublas##S##gemv_v2(cublasHandle_t, cublasOperation_t, int m, int n,               \
                                    const T* alpha, const T* a, int lda, const T* x, int incx,     \
                                    const T* beta, T* y, int incy);                                \
  cublasStatus_t cublas##S##ger_v2(cublasHandle_t, int m, int n, const T* alpha, const T* x,       \
                                   int incx, const T* y, int incy, T* a, int lda);                 \
  cublasStatus_t cublas##S##gemm_v2(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m,   \
                                    int n, int k, const T* alpha, const T* a, int lda, const T* b, \
                                    int ldb, const T* beta, T* c, int ldc);                        \
  cublasStatus_t cublas##S##gemmStridedBatched(                                                    \
      cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k, const T* alpha,   \
      const T* a, int lda, long long stride_a, const T* b, int ldb, long long stride_b,            \
      const T* beta, T* c, int ldc, long long stride_c, int count);                                \
  cublasStatus_t cublas##S##gemmBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t,      \
                                        int m, int n, int k, const T* alpha, const T* const a[],   \
                                        int lda, const T* const b[], int ldb, const T* beta,       \
                                        T* const c[], int ldc, int count);                         \
  cublasStatus_t cublas##S##geam(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m,      \
                                 int n, const T* alpha, const T* a, int lda, const T* beta,        \
                                 const T* b, int ldb, T* c, int ldc);                              \
  cublasStatus_t cublas##S##syrk_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int n,    \
                                    int k, const T* alpha, const T* a, int lda, const T* beta,     \
                                    T* c, int ldc);                                                \
  cublasStatus_t cublas##S##trsm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t,            \
                                    cublasOperation_t, cublasDiagType_t, int m, int n,             \
                                    const T* alpha, const T* a, int lda, T* b, int ldb);
PLACECHECK_BLAS_ROUTINES(S, float)
PLACECHECK_BLAS_ROUTINES(D, double)

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t of_a, cublasOperation_t of_b,
                            int m, int n, int k, const void* alpha, const void* a,
                            cudaDataType type_a, int lda, const void* b, cudaDataType type_b,
                            int ldb, const void* beta, void* c, cudaDataType type_c, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t of_a,
                                          cublasOperation_t of_b, int m, int n, int k,
                                          const void* alpha, const void* a, cudaDataType type_a,
                                          int lda, long long stride_a, const void* b,
                                          cudaDataType type_b, int ldb, long long stride_b,
                                          const void* beta, void* c, cudaDataType type_c, int ldc,
                                          long long stride_c, int count,
                                          cublasComputeType_t compute, cublasGemmAlgo_t algorithm);

#ifdef __cplusplus
}
#endif

// NOLINTEND

#endif  // PLACECHECK_RUNTIME_CUDA_INCLUDE_CUBLAS_V2_H_
