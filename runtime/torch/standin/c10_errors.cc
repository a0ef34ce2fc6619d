// How PyTorch's bindings turn a CUDA error code into an exception (c10/cuda/CUDAException.cpp).
#include <c10/cuda/CUDAException.h>
#include <cuda_runtime_api.h>

#include <string>
#include <utility>

#include "rules/invalid_device.h"
#include "runtime/torch/standin/release.h"
#include "runtime/torch/virtual_cuda/cuda_error.h"

namespace c10::cuda {
namespace {

void check(std::int32_t code) {
  const auto error = static_cast<cudaError_t>(code);
  if (error == cudaSuccess) return;
  using namespace placecheck::virtual_cuda;
  std::string text = cuda_error_text(std::string("CUDA error: ") + cudaGetErrorString(error));
  if (error != cudaErrorInvalidDevice) throw_cuda_error(code, std::move(text));
  throw_cuda_error(code, placecheck::rules::invalid_device::kRule, std::move(text));
}

}  // namespace

#if PLACECHECK_HAS_ERROR_LOG
CUDAErrorLogCapture::CUDAErrorLogCapture() noexcept = default;
std::string CUDAErrorLogCapture::get_error_log_suffix() noexcept { return ""; }

void c10_cuda_check_implementation(const std::int32_t code, const char* /*file*/,
                                   const char* /*function*/, const std::uint32_t /*line*/,
                                   const bool /*has_assertions*/, CUDAErrorLogCapture* /*log*/) {
  check(code);
}
#endif
void c10_cuda_check_implementation(const std::int32_t code, const char* /*file*/,
                                   const char* /*function*/, const std::uint32_t /*line*/,
                                   const bool /*has_assertions*/) {
  check(code);
}
void c10_cuda_check_implementation(const std::int32_t code, const char* /*file*/,
                                   const char* /*function*/, const int /*line*/,
                                   const bool /*has_assertions*/) {
  check(code);
}

}  // namespace c10::cuda
