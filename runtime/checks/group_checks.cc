#include "runtime/checks/group_checks.h"

#include <utility>

#include "rules/nccl_usage.h"
#include "runtime/core/check.h"

namespace placecheck::runtime {
namespace {

namespace rule = rules::nccl_usage;
using rules::Verdict;

class CheckedGroup : public comm::DeviceGroup {
 public:
  CheckedGroup(std::unique_ptr<DeviceGroup> inner, comm::DeviceList devices)
      : inner_(std::move(inner)), devices_(std::move(devices)) {}

  std::string_view name() const override { return inner_->name(); }

  void broadcast(const TensorList& tensors, std::size_t root) override {
    check_call("broadcast", tensors, root);
    inner_->broadcast(tensors, root);
  }
  Tensor reduce(const TensorList& tensors, std::size_t root) override {
    check_call("reduce", tensors, root);
    return inner_->reduce(tensors, root);
  }

 private:
  void check_call(std::string_view operation, const TensorList& tensors, std::size_t root) const {
    check(tensors.size() == devices_.size(), operation, " over ", devices_.size(),
          " devices needs one tensor for each, but got ", tensors.size());
    auto named = static_cast<std::int64_t>(root);
    auto size = static_cast<std::int64_t>(devices_.size());
    if (rule::judge_root(named, size) == Verdict::kBroken) {
      throw RuleError(rule::kRule, rule::root_message(operation, named, size));
    }
    rule::Call first = call_of(operation, tensors[0]);
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      Device expected(kCUDA, devices_[i]);
      if (rule::judge_buffer(to_fact(tensors[i].device()), to_fact(expected)) == Verdict::kBroken) {
        throw RuleError(rule::kRule, rule::buffer_message(operation, i, expected.str(),
                                                          tensors[i].device().str()));
      }
      rule::Call own = call_of(operation, tensors[i]);
      if (rule::judge_calls(first, own) == Verdict::kBroken) {
        throw RuleError(rule::kRule, rule::calls_message(0, first, i, own));
      }
    }
  }

  static rule::Call call_of(std::string_view operation, const Tensor& tensor) {
    return {.operation = operation,
            .dtype = row_of(tensor.dtype()).name,
            .count = tensor.numel(),
            .root = 0};
  }

  std::unique_ptr<DeviceGroup> inner_;
  comm::DeviceList devices_;
};

}  // namespace

std::unique_ptr<comm::DeviceGroup> with_group_checks(std::unique_ptr<comm::DeviceGroup> group,
                                                     const comm::DeviceList& devices) {
  return std::make_unique<CheckedGroup>(std::move(group), devices);
}

}  // namespace placecheck::runtime
