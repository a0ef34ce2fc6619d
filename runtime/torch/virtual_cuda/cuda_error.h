// What PyTorch raises where a call of CUDA fails (c10/cuda/CUDAException.cpp): from 2.8 on a
// c10::AcceleratorError, which Python knows as torch.AcceleratorError, before a c10::Error.
#ifndef PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_CUDA_ERROR_H_
#define PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_CUDA_ERROR_H_

#include <string>
#include <string_view>

#include "rules/rule.h"

namespace placecheck::virtual_cuda {

// Of CUDA's runtime (driver_types.h).
inline constexpr int kInvalidDevice = 101;
inline constexpr int kIllegalAddress = 700;
inline constexpr int kDeviceAssertion = 710;

// `message` ("CUDA error: invalid device ordinal") and what PyTorch adds: it may be reported late.
std::string cuda_error_text(std::string_view message);

[[noreturn]] void throw_cuda_error(int code, std::string text);

// The same for an error that breaks `rule`, which a RuleError tells before 2.8.
[[noreturn]] void throw_cuda_error(int code, const rules::Rule& rule, std::string text);

}  // namespace placecheck::virtual_cuda

#endif  // PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_CUDA_ERROR_H_
