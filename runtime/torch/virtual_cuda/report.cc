#include "runtime/torch/virtual_cuda/report.h"

#include <cstdlib>
#include <iostream>
#include <iterator>
#include <utility>

#include "runtime/core/report.h"
#include "runtime/core/stack.h"
#include "runtime/torch/virtual_cuda/archive_loads.h"
#include "runtime/torch/virtual_cuda/cuda_error.h"
#include "runtime/torch/virtual_cuda/module_moves.h"
#include "runtime/torch/virtual_cuda/rule_error.h"

namespace placecheck::virtual_cuda {
namespace {

// Never destroyed: static objects of the program may use tensors when it ends.
core::Report& the_report() {
  static auto* report = new core::Report(std::getenv("PLACECHECK_TORCH_REPORT"));
  return *report;
}

std::vector<EarlierCause> earlier_causes(const std::vector<MistakenOperand>& operands) {
  std::vector<EarlierCause> causes = loads_that_moved(operands);
  std::vector<EarlierCause> moves = moves_that_left_behind(operands);
  std::move(moves.begin(), moves.end(), std::back_inserter(causes));
  return causes;
}

}  // namespace

bool is_reporting() { return the_report().is_on(); }

void report(std::string_view rule, std::string_view message) {
  the_report().add(rule, message, core::stack_text());
}

void warn(const rules::Rule& rule, std::string_view message) {
  const std::string text = explained({rule.id, message, {}, {}});
  if (is_reporting()) {
    report(rule.id, text);
  } else {
    std::cerr << "placecheck: " << text << " [" << rule.id << "]\n";
  }
}

void fail(const rules::Rule& rule, std::string_view message, std::string_view operation,
          std::vector<MistakenOperand> operands) {
  const std::vector<EarlierCause> causes = earlier_causes(operands);
  std::string text = explained({rule.id, message, operation, std::move(operands)});
  if (is_reporting()) {
    for (const EarlierCause& cause : causes) {
      the_report().add(cause.rule->id, cause.message, cause.stack);
    }
    report(rule.id, text);
    return;
  }
  for (const EarlierCause& cause : causes) text += "\nplacecheck: " + cause.message;
  throw RuleError(rule, text);
}

void fail(int code, const rules::Rule& rule, std::string_view message) {
  const std::string late = cuda_error_text(message);
  std::string text = explained({rule.id, late, {}, {}});
  if (!is_reporting()) throw_cuda_error(code, rule, std::move(text));
  report(rule.id, text);
}

}  // namespace placecheck::virtual_cuda
