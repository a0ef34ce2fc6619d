// What happens where a rule is broken: a RuleError is thrown, as PyTorch throws; or, where
// PLACECHECK_TORCH_REPORT names a file, a report is added to it (see core/report.h) and the program
// goes on as if its tensors had been where they are needed, so that one run shows all mistakes.
//
// Thread-safe. The variable is read once.
#ifndef PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_REPORT_H_
#define PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_REPORT_H_

#include <string_view>
#include <vector>

#include "rules/rule.h"
#include "runtime/torch/virtual_cuda/observers.h"

namespace placecheck::virtual_cuda {

bool is_reporting();

// Throws RuleError, or reports and returns. `operands` are those of `operation`, for who explains
// the mistake (observers.h).
void fail(const rules::Rule& rule, std::string_view message, std::string_view operation = {},
          std::vector<MistakenOperand> operands = {});

// The same for a call of CUDA that fails with `code`: throws what throw_cuda_error() does.
void fail(int code, const rules::Rule& rule, std::string_view message);

// For what goes wrong later or never: reports, or writes a line to stderr; the program goes on.
void warn(const rules::Rule& rule, std::string_view message);

// Adds to the report, with the stack of the caller.
void report(std::string_view rule, std::string_view message);

}  // namespace placecheck::virtual_cuda

#endif  // PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_REPORT_H_
