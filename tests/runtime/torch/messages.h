// What an action said when it failed, for tests that compare it to the letter.
#pragma once

#include <c10/util/Exception.h>

#include <functional>
#include <string>

#include "runtime/core/error.h"
#include "runtime/torch/virtual_cuda/rule_error.h"

namespace placecheck {

// "rule-id: text" where a rule was broken, the text alone of another error, or "no error".
inline std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const virtual_cuda::RuleError& error) {
    return std::string(error.rule()) + ": " + error.what_without_backtrace();
  } catch (const core::RuleError& error) {
    return std::string(error.rule()) + ": " + error.what();
  } catch (const c10::Error& error) {
    return error.what_without_backtrace();
  }
  return "no error";
}

}  // namespace placecheck
