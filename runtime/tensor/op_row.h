// What is known of an operation beside its code: the names under which PyTorch checks its
// arguments. The rows themselves stand in op_rows.h.
#ifndef PLACECHECK_RUNTIME_TENSOR_OP_ROW_H_
#define PLACECHECK_RUNTIME_TENSOR_OP_ROW_H_

#include <array>
#include <initializer_list>
#include <span>
#include <string_view>

#include "rules/device_mismatch.h"
#include "runtime/tensor/tensor.h"

namespace placecheck::runtime {

struct OpRow {
  std::string_view name;    // "addmm"
  std::string_view method;  // "wrapper_CUDA_addmm"
  rules::device_mismatch::Mixing mixing = rules::device_mismatch::Mixing::kExact;
  std::array<std::string_view, 5> arguments{};  // in the order in which they are checked
};

// What looks at operands before an operation runs. The operands stand in the row's order; undefined
// ones are skipped.
class OpChecks {
 public:
  virtual ~OpChecks() = default;
  virtual void before(const OpRow& row, std::span<const Tensor* const> operands) const = 0;
};

// Null where checks are off. Defined by //runtime/checks:on and by //runtime/checks:off; a program
// links one of them.
extern const OpChecks* const kOpChecks;

inline void check_operands(const OpRow& row, std::initializer_list<const Tensor*> operands) {
  if (kOpChecks != nullptr) kOpChecks->before(row, {operands.begin(), operands.size()});
}

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_TENSOR_OP_ROW_H_
