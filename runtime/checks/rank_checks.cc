#include "runtime/checks/rank_checks.h"

#include <memory>
#include <utility>

#include "rules/nccl_usage.h"
#include "runtime/comm/meeting.h"
#include "runtime/core/check.h"

namespace placecheck::runtime {
namespace {

namespace rule = rules::nccl_usage;
using rules::Verdict;

// What the ranks of one group know of each other.
class Agreement {
 public:
  Agreement(std::vector<Device> devices, std::size_t size, std::chrono::milliseconds deadline)
      : devices_(std::move(devices)), calls_(size), meeting_(size, deadline) {}

  // Returns when all ranks are about to do the same. `tensor` is undefined where none is sent.
  void check_call(std::size_t rank, const rule::Call& call, const Tensor& tensor) {
    auto failure = comm::failure_of([&] { check_own(rank, call, tensor); });
    if (failure) meeting_.fail(*failure);
    calls_[rank] = call;
    meeting_.meet(rank, call.operation, [this] { check_alike(); });
  }
  void fail(const comm::Failure& failure) { meeting_.fail(failure); }

 private:
  void check_own(std::size_t rank, const rule::Call& call, const Tensor& tensor) const {
    auto size = static_cast<std::int64_t>(calls_.size());
    if (rule::judge_root(call.root, size) == Verdict::kBroken) {
      throw RuleError(rule::kRule, rule::root_message(call.operation, call.root, size));
    }
    if (devices_.empty() || !tensor.defined()) return;
    const Device& expected = devices_[rank];
    if (rule::judge_buffer(to_fact(tensor.device()), to_fact(expected)) != Verdict::kBroken) return;
    throw RuleError(rule::kRule, rule::buffer_message(call.operation, rank, expected.str(),
                                                      tensor.device().str()));
  }

  void check_alike() const {
    for (std::size_t rank = 1; rank < calls_.size(); ++rank) {
      if (rule::judge_calls(calls_[0], calls_[rank]) != Verdict::kBroken) continue;
      throw RuleError(rule::kRule, rule::calls_message(0, calls_[0], rank, calls_[rank]));
    }
  }

  std::vector<Device> devices_;
  std::vector<rule::Call> calls_;
  comm::Meeting meeting_;
};

class CheckedCommunicator : public comm::Communicator {
 public:
  CheckedCommunicator(std::unique_ptr<Communicator> inner, std::shared_ptr<Agreement> agreement)
      : inner_(std::move(inner)), agreement_(std::move(agreement)) {}

  int rank() const override { return inner_->rank(); }
  int size() const override { return inner_->size(); }

  void all_reduce(const Tensor& tensor) override {
    check_call("all_reduce", tensor);
    inner_->all_reduce(tensor);
  }
  void broadcast(const Tensor& tensor, int root) override {
    check_call("broadcast", tensor, root);
    inner_->broadcast(tensor, root);
  }
  void reduce(const Tensor& tensor, int root) override {
    check_call("reduce", tensor, root);
    inner_->reduce(tensor, root);
  }
  TensorList all_gather(const Tensor& tensor) override {
    check_call("all_gather", tensor);
    return inner_->all_gather(tensor);
  }
  void barrier() override {
    check_call("barrier", Tensor());
    inner_->barrier();
  }

  void abort(const std::string& reason) override {
    agreement_->fail({reason, {}});
    inner_->abort(reason);
  }

 private:
  void check_call(std::string_view operation, const Tensor& tensor, int root = 0) {
    rule::Call call{.operation = operation, .dtype = {}, .root = root};
    if (tensor.defined()) {
      call.dtype = row_of(tensor.dtype()).name;
      call.count = tensor.numel();
    }
    agreement_->check_call(static_cast<std::size_t>(rank()), call, tensor);
  }

  std::unique_ptr<Communicator> inner_;
  std::shared_ptr<Agreement> agreement_;
};

}  // namespace

comm::Ranks with_rank_checks(comm::Ranks ranks, const std::vector<Device>& devices,
                             std::chrono::milliseconds deadline) {
  auto agreement = std::make_shared<Agreement>(devices, ranks.size(), deadline);
  for (auto& rank : ranks) {
    rank = std::make_unique<CheckedCommunicator>(std::move(rank), agreement);
  }
  return ranks;
}

}  // namespace placecheck::runtime
