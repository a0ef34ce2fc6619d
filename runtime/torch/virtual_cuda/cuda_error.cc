#include "runtime/torch/virtual_cuda/cuda_error.h"

#include <c10/util/Exception.h>

#include <utility>

#include "runtime/torch/virtual_cuda/release.h"
#include "runtime/torch/virtual_cuda/rule_error.h"

namespace placecheck::virtual_cuda {

std::string cuda_error_text(std::string_view message) {
  // From c10/cuda/CUDAMiscFunctions.cpp.
  return std::string(message) +
         "\nCUDA kernel errors might be asynchronously reported at some other API call, so the "
         "stacktrace below might be incorrect."
         "\nFor debugging consider passing CUDA_LAUNCH_BLOCKING=1.";
}

void throw_cuda_error([[maybe_unused]] int code, std::string text) {
#if PLACECHECK_TORCH_AT_LEAST(2, 8)
  throw c10::AcceleratorError({__func__, __FILE__, __LINE__}, code, std::move(text));
#else
  throw c10::Error({__func__, __FILE__, __LINE__}, std::move(text));
#endif
}

void throw_cuda_error([[maybe_unused]] int code, [[maybe_unused]] const rules::Rule& rule,
                      std::string text) {
#if PLACECHECK_TORCH_AT_LEAST(2, 8)
  throw_cuda_error(code, std::move(text));
#else
  throw RuleError(rule, std::move(text));
#endif
}

}  // namespace placecheck::virtual_cuda
