#include "runtime/torch/virtual_cuda/rule_error.h"

#include <utility>

namespace placecheck::virtual_cuda {

RuleError::RuleError(std::string_view rule_id, std::string message)
    : c10::Error({__func__, __FILE__, __LINE__}, std::move(message)), rule_(rule_id) {}

}  // namespace placecheck::virtual_cuda
