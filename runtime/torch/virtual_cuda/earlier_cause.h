// A call that did no harm by itself, and brought an operand to where it does not fit later.
#ifndef PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_EARLIER_CAUSE_H_
#define PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_EARLIER_CAUSE_H_

#include <string>

#include "rules/rule.h"

namespace placecheck::virtual_cuda {

struct EarlierCause {
  const rules::Rule* rule;
  std::string message;
  std::string stack;  // of the call
};

}  // namespace placecheck::virtual_cuda

#endif  // PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_EARLIER_CAUSE_H_
