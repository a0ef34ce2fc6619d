// In place of a header that CPU builds of libtorch lack, or that needs the CUDA toolkit: what
// extensions ask of the current device. Thread-safe.
#ifndef PLACECHECK_RUNTIME_TORCH_INCLUDE_ATEN_CUDA_CUDACONTEXT_H_
#define PLACECHECK_RUNTIME_TORCH_INCLUDE_ATEN_CUDA_CUDACONTEXT_H_

#if !defined(PLACECHECK_NO_CUDA_TOOLKIT) && __has_include(<cuda_runtime_api.h>)
#include_next <ATen/cuda/CUDAContext.h>
#else

#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAStream.h>
#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include <map>

#define AT_CUDA_CHECK(EXPR) C10_CUDA_CHECK(EXPR)
#define TORCH_CUDABLAS_CHECK(EXPR)                                                        \
  do {                                                                                    \
    const cublasStatus_t placecheck_status = (EXPR);                                      \
    TORCH_CHECK(placecheck_status == CUBLAS_STATUS_SUCCESS, "CUDA error: cuBLAS status ", \
                static_cast<int>(placecheck_status));                                     \
  } while (0)

namespace at::cuda {

// NOLINTBEGIN(readability-identifier-naming): the names are libtorch's.

inline bool is_available() { return c10::cuda::device_count() > 0; }

// Of the current device, as long as the process.
inline cudaDeviceProp* getCurrentDeviceProperties() {
  thread_local std::map<c10::DeviceIndex, cudaDeviceProp> properties;
  const c10::DeviceIndex device = c10::cuda::current_device();
  const auto [at, is_new] = properties.try_emplace(device);
  if (is_new) C10_CUDA_CHECK(cudaGetDeviceProperties(&at->second, device));
  return &at->second;
}

// One for each thread and device, with the current stream of the current device.
inline cublasHandle_t getCurrentCUDABlasHandle() {
  thread_local std::map<c10::DeviceIndex, cublasHandle_t> handles;
  cublasHandle_t& handle = handles[c10::cuda::current_device()];
  if (handle == nullptr) TORCH_CUDABLAS_CHECK(cublasCreate(&handle));
  TORCH_CUDABLAS_CHECK(cublasSetStream(handle, c10::cuda::getCurrentCUDAStream()));
  return handle;
}

// NOLINTEND(readability-identifier-naming)

}  // namespace at::cuda

#endif
#endif  // PLACECHECK_RUNTIME_TORCH_INCLUDE_ATEN_CUDA_CUDACONTEXT_H_
