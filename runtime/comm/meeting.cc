#include "runtime/comm/meeting.h"

#include <algorithm>

#include "runtime/core/check.h"

namespace placecheck::runtime::comm {

std::optional<Failure> failure_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const RuleError& error) {
    return Failure{error.what(), error.rule()};
  } catch (const std::exception& error) {
    return Failure{error.what(), {}};
  }
  return std::nullopt;
}

Meeting::Meeting(std::size_t size, std::chrono::milliseconds deadline)
    : deadline_(deadline), is_here_(size) {}

void Meeting::meet(std::size_t rank, std::string_view operation,
                   const std::function<void()>& work) {
  std::unique_lock lock(mutex_);
  throw_failure();
  is_here_[rank] = true;
  if (++arrived_ == size()) {
    finish(work);
  } else {
    std::uint64_t own_round = round_;
    bool left = changed_.wait_for(lock, deadline_, [&] { return round_ != own_round || failure_; });
    if (!left) {
      failure_ = Failure{text_of(operation, ": rank ", absent(), " did not come within ",
                                 deadline_.count(), " ms"),
                         {}};
      changed_.notify_all();
    }
  }
  throw_failure();
}

// Called with the lock held: nobody leaves before the work is done.
void Meeting::finish(const std::function<void()>& work) {
  failure_ = failure_of(work);
  std::fill(is_here_.begin(), is_here_.end(), false);
  arrived_ = 0;
  ++round_;
  changed_.notify_all();
}

void Meeting::fail(const Failure& failure) {
  std::lock_guard lock(mutex_);
  if (!failure_) failure_ = failure;
  changed_.notify_all();
}

void Meeting::throw_failure() const {
  if (!failure_) return;
  if (!failure_->rule.empty()) throw RuleError(failure_->rule, failure_->text);
  throw CommunicationError(failure_->text);
}

std::string Meeting::absent() const {
  std::string ranks;
  for (std::size_t rank = 0; rank < is_here_.size(); ++rank) {
    if (is_here_[rank]) continue;
    ranks += (ranks.empty() ? "" : ", ") + std::to_string(rank);
  }
  return ranks;
}

}  // namespace placecheck::runtime::comm
