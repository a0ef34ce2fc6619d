// Ranks of one process: all meet, the last to come does the work, in the order of ranks, and all
// leave together.
#include <condition_variable>
#include <functional>
#include <mutex>

#include "runtime/autograd/grad_mode.h"
#include "runtime/comm/communicator.h"
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
  Group(int size, std::chrono::milliseconds deadline)
      : arrivals_(static_cast<std::size_t>(size)), deadline_(deadline) {}

  int size() const { return static_cast<int>(arrivals_.size()); }

  // Waits for all ranks; `work` runs once, in the rank that came last.
  TensorList meet(int rank, const char* operation, const Tensor& tensor, const Work& work);
  void abort(const std::string& reason);

 private:
  void finish(const Work& work);
  void check_alike() const;
  std::string absent() const;

  std::vector<Arrival> arrivals_;
  std::chrono::milliseconds deadline_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t arrived_ = 0;
  std::uint64_t round_ = 0;
  TensorList result_;  // of the last round: the next one ends after all have taken it
  std::string failure_;
};

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

// Called with the lock held; a failure is every rank's.
void Group::finish(const Work& work) {
  try {
    check_alike();
    NoGradGuard no_grad;
    result_ = work(arrivals_);
  } catch (const std::exception& error) {
    failure_ = error.what();
  }
  for (Arrival& arrival : arrivals_) arrival = {};
  arrived_ = 0;
  ++round_;
  changed_.notify_all();
}

std::string Group::absent() const {
  std::string ranks;
  for (std::size_t i = 0; i < arrivals_.size(); ++i) {
    if (arrivals_[i].operation != nullptr) continue;
    ranks += (ranks.empty() ? "" : ", ") + std::to_string(i);
  }
  return ranks;
}

TensorList Group::meet(int rank, const char* operation, const Tensor& tensor, const Work& work) {
  std::unique_lock lock(mutex_);
  check<CommunicationError>(failure_.empty(), failure_);
  arrivals_[static_cast<std::size_t>(rank)] = {operation, tensor};
  if (++arrived_ == arrivals_.size()) {
    finish(work);
  } else {
    std::uint64_t own_round = round_;
    bool left = changed_.wait_for(lock, deadline_,
                                  [&] { return round_ != own_round || !failure_.empty(); });
    if (!left) {
      failure_ = text_of(operation, ": rank ", absent(), " did not come within ", deadline_.count(),
                         " ms");
      changed_.notify_all();
    }
  }
  check<CommunicationError>(failure_.empty(), failure_);
  return result_;
}

void Group::abort(const std::string& reason) {
  std::lock_guard lock(mutex_);
  if (failure_.empty()) failure_ = reason;
  changed_.notify_all();
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

std::vector<std::unique_ptr<Communicator>> make_local_group(int size,
                                                            std::chrono::milliseconds deadline) {
  auto group = std::make_shared<Group>(size, deadline);
  std::vector<std::unique_ptr<Communicator>> ranks;
  for (int rank = 0; rank < size; ++rank) {
    ranks.push_back(std::make_unique<LocalCommunicator>(group, rank));
  }
  return ranks;
}

}  // namespace placecheck::runtime::comm
