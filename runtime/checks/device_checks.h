// The check of an operation's operands, as PyTorch's dispatcher and TensorIterator make it.
#ifndef PLACECHECK_RUNTIME_CHECKS_DEVICE_CHECKS_H_
#define PLACECHECK_RUNTIME_CHECKS_DEVICE_CHECKS_H_

#include "runtime/tensor/op_row.h"

namespace placecheck::runtime {

// Throws RuleError (device-mismatch). Knows no state; any thread may use it.
class DeviceChecks : public OpChecks {
 public:
  void before(const OpRow& row, std::span<const Tensor* const> operands) const override;
};

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_CHECKS_DEVICE_CHECKS_H_
