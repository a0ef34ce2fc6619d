// cuBLAS's handles, and its copies.
#include "runtime/cuda/blas.h"
#include "runtime/cuda/devices.h"
#include "runtime/cuda/errors.h"
#include "runtime/cuda/handles.h"
#include "runtime/cuda/witness.h"

namespace placecheck::cuda {
namespace {

// Never destroyed: static objects of the program destroy theirs late.
Handles<cublasContext>& contexts() {
  static auto* handles = new Handles<cublasContext>;
  return *handles;
}

cublasStatus_t status_of(cudaError_t error) {
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

cublasStatus_t copy_vector(int n, int size, const void* from, int from_step, void* to, int to_step,
                           cudaMemcpyKind kind) {
  if (n < 0 || size <= 0 || from_step <= 0 || to_step <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  const auto bytes = static_cast<std::size_t>(size);
  return status_of(cudaMemcpy2D(to, bytes * static_cast<std::size_t>(to_step), from,
                                bytes * static_cast<std::size_t>(from_step), bytes,
                                static_cast<std::size_t>(n), kind));
}

cublasStatus_t copy_matrix(int rows, int columns, int size, const void* from, int from_rows,
                           void* to, int to_rows, cudaMemcpyKind kind) {
  if (rows < 0 || columns < 0 || size <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  const auto bytes = static_cast<std::size_t>(size);
  return status_of(cudaMemcpy2D(to, bytes * static_cast<std::size_t>(to_rows), from,
                                bytes * static_cast<std::size_t>(from_rows),
                                bytes * static_cast<std::size_t>(rows),
                                static_cast<std::size_t>(columns), kind));
}

const char* name_of(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS:
      return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_NOT_INITIALIZED:
      return "CUBLAS_STATUS_NOT_INITIALIZED";
    case CUBLAS_STATUS_ALLOC_FAILED:
      return "CUBLAS_STATUS_ALLOC_FAILED";
    case CUBLAS_STATUS_INVALID_VALUE:
      return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_ARCH_MISMATCH:
      return "CUBLAS_STATUS_ARCH_MISMATCH";
    case CUBLAS_STATUS_MAPPING_ERROR:
      return "CUBLAS_STATUS_MAPPING_ERROR";
    case CUBLAS_STATUS_EXECUTION_FAILED:
      return "CUBLAS_STATUS_EXECUTION_FAILED";
    case CUBLAS_STATUS_INTERNAL_ERROR:
      return "CUBLAS_STATUS_INTERNAL_ERROR";
    case CUBLAS_STATUS_NOT_SUPPORTED:
      return "CUBLAS_STATUS_NOT_SUPPORTED";
  }
  return "unknown status";
}

}  // namespace

bool is_handle(cublasHandle_t handle) { return contexts().has(handle); }

}  // namespace placecheck::cuda

namespace cuda = placecheck::cuda;
using cuda::contexts;

cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  if (cuda::device_count() == 0) return CUBLAS_STATUS_NOT_INITIALIZED;
  cublasContext context;
  context.device = cuda::current_device();
  *handle = contexts().make(context);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  return contexts().destroy(handle) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

cublasStatus_t cublasGetVersion(cublasHandle_t /*handle*/, int* version) {
  *version = CUDART_VERSION * 10;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  if (!contexts().has(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  const auto made = cuda::device_of(stream);
  if (!made) return CUBLAS_STATUS_INVALID_VALUE;
  // A default stream is that of the device that is current when a routine runs.
  const bool is_own = cuda::streams().has(stream);
  if (is_own && !cuda::judge_handle("stream", *made, handle->device, "cublasSetStream")) {
    return CUBLAS_STATUS_EXECUTION_FAILED;
  }
  handle->stream = stream;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream) {
  if (!contexts().has(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  *stream = handle->stream;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void* workspace, size_t /*bytes*/) {
  if (!contexts().has(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  const bool is_reached = cuda::judge_use(workspace, handle->device, "cublasSetWorkspace");
  return is_reached ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode) {
  if (!contexts().has(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->pointer_mode = mode;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode) {
  if (!contexts().has(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  *mode = handle->pointer_mode;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t /*mode*/) {
  return contexts().has(handle) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

const char* cublasGetStatusName(cublasStatus_t status) { return cuda::name_of(status); }
const char* cublasGetStatusString(cublasStatus_t status) { return cuda::name_of(status); }

cublasStatus_t cublasSetVector(int n, int element_size, const void* on_host, int host_step,
                               void* on_device, int device_step) {
  return cuda::copy_vector(n, element_size, on_host, host_step, on_device, device_step,
                           cudaMemcpyHostToDevice);
}

cublasStatus_t cublasGetVector(int n, int element_size, const void* on_device, int device_step,
                               void* on_host, int host_step) {
  return cuda::copy_vector(n, element_size, on_device, device_step, on_host, host_step,
                           cudaMemcpyDeviceToHost);
}

cublasStatus_t cublasSetMatrix(int rows, int columns, int element_size, const void* on_host,
                               int host_rows, void* on_device, int device_rows) {
  return cuda::copy_matrix(rows, columns, element_size, on_host, host_rows, on_device, device_rows,
                           cudaMemcpyHostToDevice);
}

cublasStatus_t cublasGetMatrix(int rows, int columns, int element_size, const void* on_device,
                               int device_rows, void* on_host, int host_rows) {
  return cuda::copy_matrix(rows, columns, element_size, on_device, device_rows, on_host, host_rows,
                           cudaMemcpyDeviceToHost);
}
