#include "runtime/parallel/data_parallel.h"

#include "rules/data_parallel_placement.h"
#include "runtime/core/check.h"
#include "runtime/core/warning.h"

namespace placecheck::runtime::nn {

Device OutputDevice::or_else(DeviceIndex first) const {
  DeviceIndex index = id_ ? id_->resolved() : first;
  if (index >= 0) return {kCUDA, index};
  warn(
      "Using -1 to represent CPU tensor is deprecated. Please use a device object or string "
      "instead, e.g., \"cpu\".");
  return kCPU;
}

void check_placement(const Module& module, DeviceIndex first) {
  namespace rule = rules::data_parallel_placement;
  Device expected(kCUDA, first);
  auto check_one = [&](const Tensor& tensor) {
    if (rule::judge(to_fact(tensor.device()), to_fact(expected)) != rules::Verdict::kBroken) return;
    throw RuleError(rule::kRule, rule::message(expected.str(), tensor.device().str()));
  };
  for (const Tensor& parameter : module.parameters()) check_one(parameter);
  for (const Tensor& buffer : module.buffers()) check_one(buffer);
}

}  // namespace placecheck::runtime::nn
