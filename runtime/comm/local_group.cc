// Ranks of one process: all meet, the last to come does the work, in the order of ranks, and all
// leave together.
#include <functional>
#include <string_view>

#include "runtime/autograd/grad_mode.h"
#include "runtime/comm/communicator.h"
#include "runtime/comm/meeting.h"
#include "runtime/core/check.h"

namespace placecheck::runtime::comm {
namespace {

struct Arrival {
  const char* operation = nullptr;
  Tensor tensor;
};

// What the rank that came last makes of all arrivals; every rank gets it.
using Work = std::function<TensorList(const std::vector<Arrival>&)>;

class Group {
 public:
  Group(std::size_t size, std::chrono::milliseconds deadline)
      : arrivals_(size), meeting_(size, deadline) {}

  int size() const { return static_cast<int>(meeting_.size()); }

  // Waits for all ranks; `work` runs once, in the rank that came last.
  TensorList meet(int rank, const char* operation, const Tensor& tensor, const Work& work) {
    auto at = static_cast<std::size_t>(rank);
    arrivals_[at] = {operation, tensor};
    meeting_.meet(at, operation, [&] {
      check_alike();
      NoGradGuard no_grad;
      result_ = work(arrivals_);
      for (Arrival& arrival : arrivals_) arrival = {};
    });
    return result_;
  }
  void abort(const std::string& reason) { meeting_.fail({reason, {}}); }

 private:
  void check_alike() const;

  std::vector<Arrival> arrivals_;
  Meeting meeting_;
  TensorList result_;  // of the last round: the next one ends after all have taken it
};

// What the sums and copies below rely on; the checks of ranks say more.
void Group::check_alike() const {
  for (std::size_t i = 1; i < arrivals_.size(); ++i) {
    check(std::string_view(arrivals_[i].operation) == arrivals_[0].operation, "rank 0 is in ",
          arrivals_[0].operation, " while rank ", i, " is in ", arrivals_[i].operation);
    const Tensor& own = arrivals_[i].tensor;
    const Tensor& first = arrivals_[0].tensor;
    if (!first.defined()) continue;
    check(own.dtype() == first.dtype(), "all inputs and outputs must be of the same Tensor dtype");
    check(own.numel() == first.numel(), "all inputs must have the same number of elements");
    check(own.is_contiguous() && first.is_contiguous(),
          "all inputs and outputs have to be contiguous");
  }
}

class LocalCommunicator : public Communicator {
 public:
  LocalCommunicator(std::shared_ptr<Group> group, int rank)
      : group_(std::move(group)), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return group_->size(); }

  void all_reduce(const Tensor& tensor) override {
    group_->meet(rank_, "all_reduce", tensor, [](const std::vector<Arrival>& all) {
      Tensor total = sum(all, all[0].tensor.device());
      for (const Arrival& arrival : all) arrival.tensor.copy_(total);
      return TensorList();
    });
  }

  void broadcast(const Tensor& tensor, int root) override {
    group_->meet(rank_, "broadcast", tensor, [root](const std::vector<Arrival>& all) {
      const Tensor& source = all.at(static_cast<std::size_t>(root)).tensor;
      for (const Arrival& arrival : all) {
        if (!arrival.tensor.is_same(source)) arrival.tensor.copy_(source);
      }
      return TensorList();
    });
  }

  void reduce(const Tensor& tensor, int root) override {
    group_->meet(rank_, "reduce", tensor, [root](const std::vector<Arrival>& all) {
      const Tensor& target = all.at(static_cast<std::size_t>(root)).tensor;
      target.copy_(sum(all, target.device()));
      return TensorList();
    });
  }

  TensorList all_gather(const Tensor& tensor) override {
    TensorList all = group_->meet(rank_, "all_gather", tensor, [](const auto& arrivals) {
      TensorList copies;
      for (const Arrival& arrival : arrivals) copies.push_back(arrival.tensor.clone());
      return copies;
    });
    NoGradGuard no_grad;
    for (Tensor& each : all) each = each.to(tensor.device(), tensor.dtype()).clone();
    return all;
  }

  void barrier() override {
    group_->meet(rank_, "barrier", Tensor(),
                 [](const std::vector<Arrival>&) { return TensorList(); });
  }

  void abort(const std::string& reason) override { group_->abort(reason); }

 private:
  static Tensor sum(const std::vector<Arrival>& all, const Device& where) {
    Tensor total = all[0].tensor.to(where);
    for (std::size_t i = 1; i < all.size(); ++i) total = total.add(all[i].tensor.to(where));
    return total;
  }

  std::shared_ptr<Group> group_;
  int rank_;
};

}  // namespace

namespace {

Ranks make_ranks(std::size_t size, const std::vector<Device>& devices,
                 std::chrono::milliseconds deadline) {
  auto group = std::make_shared<Group>(size, deadline);
  Ranks ranks;
  for (std::size_t rank = 0; rank < size; ++rank) {
    ranks.push_back(std::make_unique<LocalCommunicator>(group, static_cast<int>(rank)));
  }
  return checked_ranks(std::move(ranks), devices, deadline);
}

}  // namespace

Ranks make_local_group(int size, std::chrono::milliseconds deadline) {
  return make_ranks(static_cast<std::size_t>(size), {}, deadline);
}

Ranks make_local_group(const std::vector<Device>& devices, std::chrono::milliseconds deadline) {
  return make_ranks(devices.size(), devices, deadline);
}

}  // namespace placecheck::runtime::comm
