#include "runtime/torch/virtual_cuda/rule_error.h"

#include <c10/util/Backtrace.h>

#include <utility>

namespace placecheck::virtual_cuda {

RuleError::RuleError(const rules::Rule& rule, std::string message)
    : c10::Error(std::move(message), "\n" + c10::get_backtrace(/*frames_to_skip=*/1)),
      rule_(rule.id) {}

}  // namespace placecheck::virtual_cuda
