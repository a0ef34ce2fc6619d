// What an action said when it failed, for tests that compare it to the letter.
#pragma once

#include <c10/util/Exception.h>
#include <torch/version.h>

#include <functional>
#include <string>

#include "runtime/torch/virtual_cuda/rule_error.h"

namespace placecheck {

// "rule-id: text" where a rule was broken, the text alone of another error, or "no error".
inline std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const virtual_cuda::RuleError& error) {
    return std::string(error.rule()) + ": " + error.what_without_backtrace();
  } catch (const c10::Error& error) {
    return error.what_without_backtrace();
  }
  return "no error";
}

// What virtual devices say of an operator whose `argument` is on `other` where the first is on
// `common`, as the linked release words it.
inline std::string argument_text(const std::string& common, const std::string& other,
                                 const std::string& argument, const std::string& method) {
  const std::string text = "device-mismatch: Expected all tensors to be on the same device, but ";
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 8)
  return text + "got " + argument + " is on " + other + ", different from other tensors on " +
         common + " (when checking argument in method wrapper_CUDA_" + method + ")";
#else
  const std::string wrapper = TORCH_VERSION_MAJOR >= 2 ? "wrapper_CUDA_" : "wrapper_";
  return text + "found at least two devices, " + common + " and " + other +
         "! (when checking argument for argument " + argument + " in method " + wrapper + method +
         ")";
#endif
}

}  // namespace placecheck
