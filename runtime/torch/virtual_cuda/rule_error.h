// What is raised under libtorch where a rule is broken: to whoever catches c10::Error it is one,
// in PyTorch's words; rule() is the id that `placecheck --explain` takes.
//
// Ownership: its text; a rule's id has static storage.
#ifndef PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_RULE_ERROR_H_
#define PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_RULE_ERROR_H_

#include <c10/util/Exception.h>

#include <string>
#include <string_view>

#include "rules/rule.h"

namespace placecheck::virtual_cuda {

class __attribute__((visibility("default"))) RuleError : public c10::Error {
 public:
  RuleError(const rules::Rule& rule, std::string message) : RuleError(rule.id, message) {}
  RuleError(std::string_view rule_id, std::string message);

  std::string_view rule() const { return rule_; }

 private:
  std::string_view rule_;
};

}  // namespace placecheck::virtual_cuda

#endif  // PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_RULE_ERROR_H_
