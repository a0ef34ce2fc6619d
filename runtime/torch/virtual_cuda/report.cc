#include "runtime/torch/virtual_cuda/report.h"

#include <cstdlib>
#include <utility>

#include "runtime/core/report.h"
#include "runtime/core/stack.h"
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

void fail(const rules::Rule& rule, std::string_view message, std::string_view operation,
          std::vector<MistakenOperand> operands) {
  const std::string text = explained({rule.id, message, operation, std::move(operands)});
  if (!is_reporting()) throw RuleError(rule, text);
  report(rule.id, text);
}

}  // namespace placecheck::virtual_cuda
