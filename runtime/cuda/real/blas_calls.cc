// cuBLAS's handles and routines: each call is judged, then forwarded, whatever the judgement. Calls
// that are not here go to cuBLAS directly.
#include "runtime/cuda/blas_judgement.h"
#include "runtime/cuda/devices.h"
#include "runtime/cuda/include/cublas_v2.h"
#include "runtime/cuda/real/handles.h"
#include "runtime/cuda/real/libraries.h"
#include "runtime/cuda/witness.h"

namespace placecheck::cuda {
namespace {

void judge_routine(cublasHandle_t handle, std::string_view routine,
                   std::initializer_list<const void*> operands,
                   std::initializer_list<const void*> scalars) {
  if (is_inside_call()) return;
  BlasHandle known{.device = device_of_handle(handle)};
  const auto status = PLACECHECK_REAL(cublasGetPointerMode_v2)(handle, &known.mode);
  if (status == CUBLAS_STATUS_SUCCESS) judge_blas(known, routine, operands, scalars);
}

}  // namespace
}  // namespace placecheck::cuda

namespace cuda = placecheck::cuda;

cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  const cublasStatus_t status = PLACECHECK_REAL(cublasCreate_v2)(handle);
  if (status == CUBLAS_STATUS_SUCCESS) cuda::remember_handle(*handle, cuda::current_device());
  return status;
}

cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  cuda::forget_handle(handle);
  return PLACECHECK_REAL(cublasDestroy_v2)(handle);
}

cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  const auto made = cuda::device_of_handle(stream);
  const auto needed = cuda::device_of_handle(handle);
  if (!cuda::is_inside_call() && made && needed) {
    cuda::judge_handle("stream", *made, *needed, "cublasSetStream");
  }
  return PLACECHECK_REAL(cublasSetStream_v2)(handle, stream);
}

#define PLACECHECK_BRACED(...) {__VA_ARGS__}
#define PLACECHECK_ROUTINE(function, name, parameters, arguments, operands, scalars)          \
  cublasStatus_t function parameters {                                                        \
    cuda::judge_routine(handle, name, PLACECHECK_BRACED operands, PLACECHECK_BRACED scalars); \
    return PLACECHECK_REAL(function) arguments;                                               \
  }
#define PLACECHECK_RESULT_ROUTINE PLACECHECK_ROUTINE
#include "runtime/cuda/blas_routines.inc"
