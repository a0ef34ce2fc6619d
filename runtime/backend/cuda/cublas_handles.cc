#include "runtime/backend/cuda/cublas_handles.h"

#include <cuda_runtime.h>

#include <map>

#include "runtime/backend/cuda/cuda_errors.h"
#include "runtime/core/check.h"

namespace placecheck::runtime {
namespace {

struct Handles {
  std::map<int, cublasHandle_t> by_device;
  ~Handles() {
    for (auto [device, handle] : by_device) cublasDestroy(handle);
  }
};

}  // namespace

void check_cublas(cublasStatus_t status) {
  check(status == CUBLAS_STATUS_SUCCESS, "CUDA error: ", cublasGetStatusName(status),
        " when calling a cuBLAS function");
}

cublasHandle_t cublas_handle(void* stream) {
  thread_local Handles handles;
  int device = 0;
  check_cuda(cudaGetDevice(&device));
  auto [found, is_new] = handles.by_device.try_emplace(device, nullptr);
  if (is_new) check_cublas(cublasCreate(&found->second));
  check_cublas(cublasSetStream(found->second, static_cast<cudaStream_t>(stream)));
  return found->second;
}

}  // namespace placecheck::runtime
