#include "runtime/torch/virtual_cuda/report.h"

#include <cstdlib>
#include <utility>

#include "runtime/core/report.h"
#include "runtime/torch/virtual_cuda/rule_error.h"

namespace placecheck::virtual_cuda {
namespace {

// Never destroyed: static objects of the program may use tensors when it ends.
core::Report& the_report() {
  static auto* report = new core::Report(std::getenv("PLACECHECK_TORCH_REPORT"));
  return *report;
}

}  // namespace

bool is_reporting() { return the_report().is_on(); }

void report(std::string_view rule, std::string_view message) {
  the_report().add(rule, message, core::stack_text());
}

void fail(const rules::Rule& rule, std::string message) {
  if (!is_reporting()) throw RuleError(rule, std::move(message));
  report(rule.id, message);
}

}  // namespace placecheck::virtual_cuda
