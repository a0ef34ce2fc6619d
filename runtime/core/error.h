// The errors that the runtime raises, in PyTorch's words. A RuleError also knows which rule it
// breaks. Owns its text; a rule's id must have static storage (the rows of rules/ do).
#ifndef PLACECHECK_RUNTIME_CORE_ERROR_H_
#define PLACECHECK_RUNTIME_CORE_ERROR_H_

#include <stdexcept>
#include <string>
#include <string_view>

#include "rules/rule.h"

namespace placecheck::core {

// What c10::Error is to libtorch: every error that this runtime raises is one.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class RuleError : public Error {
 public:
  RuleError(const rules::Rule& rule, const std::string& message) : RuleError(rule.id, message) {}
  RuleError(std::string_view rule_id, const std::string& message)
      : Error(message), rule_(rule_id) {}

  std::string_view rule() const { return rule_; }

 private:
  std::string_view rule_;
};

class IndexError : public Error {
 public:
  using Error::Error;
};

class ValueError : public Error {
 public:
  using Error::Error;
};

class TypeError : public Error {
 public:
  using Error::Error;
};

class KeyError : public Error {
 public:
  using Error::Error;
};

class OutOfMemoryError : public Error {
 public:
  using Error::Error;
};

// A wait that reached its deadline, or whose peer gave up.
class CommunicationError : public Error {
 public:
  using Error::Error;
};

}  // namespace placecheck::core

#endif  // PLACECHECK_RUNTIME_CORE_ERROR_H_
