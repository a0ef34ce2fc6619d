#include "runtime/checks/device_checks.h"

#include <algorithm>

#include "rules/device_mismatch.h"
#include "runtime/core/check.h"
#include "runtime/tensor/tensor_impl.h"

namespace placecheck::runtime {
namespace {

namespace rule = rules::device_mismatch;
using rules::Trait;
using rules::Verdict;

rules::OperandFact fact_of(const Tensor& tensor) {
  return {to_fact(tensor.device()), tensor.dim() == 0 ? Trait::kYes : Trait::kNo};
}

bool is_on_cuda(const Tensor* tensor) { return tensor->defined() && tensor->is_cuda(); }

// The usual case, in which no rule is broken; told without making facts of it.
bool are_in_one_place(std::span<const Tensor* const> operands) {
  const Device* place = nullptr;
  for (const Tensor* operand : operands) {
    if (!operand->defined()) continue;
    const Device& own = operand->impl_ptr()->storage->device();
    if (place != nullptr && own != *place) return false;
    place = &own;
  }
  return true;
}

// The CUDA kernel walks its arguments in order; the first one says where all have to be.
void check_exact(const OpRow& row, std::span<const Tensor* const> operands) {
  const Tensor* first = nullptr;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Tensor& operand = *operands[i];
    if (!operand.defined()) continue;
    if (first == nullptr) first = &operand;
    if (rule::judge(fact_of(*first), fact_of(operand), row.mixing) != Verdict::kBroken) continue;
    std::string_view name = row.arguments[std::min(i, row.arguments.size() - 1)];
    throw RuleError(rule::kRule, rule::message(first->device().str(), operand.device().str(),
                                               {name, row.method}));
  }
}

// Elementwise operations run where the first operand off the CPU is; one CPU number may join.
void check_elementwise(const OpRow& row, std::span<const Tensor* const> operands) {
  const Tensor& common = **std::find_if(operands.begin(), operands.end(), is_on_cuda);
  int scalars = 0;
  for (const Tensor* operand : operands) {
    if (!operand->defined()) continue;
    if (rule::judge(fact_of(common), fact_of(*operand), row.mixing) == Verdict::kBroken) {
      throw RuleError(rule::kRule, rule::message(common.device().str(), operand->device().str()));
    }
    if (operand->is_cpu() && ++scalars > 1) {
      throw RuleError(rule::kRule, rule::too_many_scalars_message());
    }
  }
}

}  // namespace

void DeviceChecks::before(const OpRow& row, std::span<const Tensor* const> operands) const {
  if (are_in_one_place(operands)) return;
  // Kernels of the CPU check nothing: all they are given is there.
  if (std::none_of(operands.begin(), operands.end(), is_on_cuda)) return;
  if (row.mixing == rule::Mixing::kExact) {
    check_exact(row, operands);
  } else {
    check_elementwise(row, operands);
  }
}

}  // namespace placecheck::runtime
