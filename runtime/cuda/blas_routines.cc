// The routines of cuBLAS. Nothing is computed.
#include <csignal>

#include "runtime/cuda/blas.h"
#include "runtime/cuda/blas_judgement.h"
#include "runtime/cuda/errors.h"
#include "runtime/cuda/execution.h"
#include "runtime/cuda/memory.h"

namespace placecheck::cuda {
namespace {

template <typename... Arguments>
constexpr void ignore(const Arguments&... /*arguments*/) {}

cublasStatus_t run(cublasHandle_t handle, std::string_view routine,
                   std::initializer_list<const void*> operands,
                   std::initializer_list<const void*> scalars) {
  if (!is_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  const BlasVerdict verdict =
      judge_blas({handle->device, handle->pointer_mode}, routine, operands, scalars);
  if (!verdict.fits_device) return CUBLAS_STATUS_EXECUTION_FAILED;
  // cuBLAS itself reads them.
  if (!verdict.is_readable) std::raise(SIGSEGV);
  if (!verdict.is_reached) leave_unusable(cudaErrorIllegalAddress);
  note_unexecuted(routine);
  return CUBLAS_STATUS_SUCCESS;
}

// A result on the host is written before the routine returns; on a device it is never.
template <typename T>
cublasStatus_t run_for(cublasHandle_t handle, std::string_view routine,
                       std::initializer_list<const void*> operands, T* result) {
  const cublasStatus_t status = run(handle, routine, operands, {result});
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  const bool is_of_host = handle->pointer_mode == CUBLAS_POINTER_MODE_HOST && result != nullptr &&
                          memory_at(result).kind != MemoryKind::kDevice;
  if (is_of_host) *result = T{};
  return status;
}

}  // namespace
}  // namespace placecheck::cuda

#define PLACECHECK_BRACED(...) {__VA_ARGS__}
#define PLACECHECK_ROUTINE(function, name, parameters, arguments, operands, scalars) \
  cublasStatus_t function parameters {                                               \
    placecheck::cuda::ignore arguments;                                              \
    return placecheck::cuda::run(handle, name, PLACECHECK_BRACED operands,           \
                                 PLACECHECK_BRACED scalars);                         \
  }
#define PLACECHECK_RESULT_ROUTINE(function, name, parameters, arguments, operands, result_) \
  cublasStatus_t function parameters {                                                      \
    placecheck::cuda::ignore arguments;                                                     \
    return placecheck::cuda::run_for(handle, name, PLACECHECK_BRACED operands, result);     \
  }
#include "runtime/cuda/blas_routines.inc"
