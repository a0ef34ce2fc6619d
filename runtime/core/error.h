// The error that checks raise: a run-time error in PyTorch's words that knows which rule it breaks.
// Owns its text; the rule's id must have static storage (the rows of rules/ do).
#ifndef PLACECHECK_RUNTIME_CORE_ERROR_H_
#define PLACECHECK_RUNTIME_CORE_ERROR_H_

#include <stdexcept>
#include <string>
#include <string_view>

#include "rules/rule.h"

namespace placecheck::core {

class RuleError : public std::runtime_error {
 public:
  RuleError(const rules::Rule& rule, const std::string& message)
      : std::runtime_error(message), rule_(rule.id) {}

  std::string_view rule() const { return rule_; }

 private:
  std::string_view rule_;
};

}  // namespace placecheck::core

#endif  // PLACECHECK_RUNTIME_CORE_ERROR_H_
