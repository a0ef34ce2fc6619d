// Meeting: where the ranks of one process come together, and whence they leave together.
// Threads: one for each rank. Errors: what the last rank found out, or that a rank did not come
// before the deadline or gave up, is every rank's error, now and for ever: CommunicationError, or
// RuleError where a rule was broken.
#ifndef PLACECHECK_RUNTIME_COMM_MEETING_H_
#define PLACECHECK_RUNTIME_COMM_MEETING_H_

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace placecheck::runtime::comm {

struct Failure {
  std::string text;
  std::string_view rule;  // "": none
};

class Meeting {
 public:
  Meeting(std::size_t size, std::chrono::milliseconds deadline);

  std::size_t size() const { return is_here_.size(); }

  // Waits for all ranks. `work` runs once, in the rank that comes last; what any rank wrote before
  // is seen by it, and what it wrote by all.
  void meet(std::size_t rank, std::string_view operation, const std::function<void()>& work);

  // All ranks that wait, or come later, throw this; the first failure stays.
  void fail(const Failure& failure);

 private:
  void finish(const std::function<void()>& work);
  void throw_failure() const;
  std::string absent() const;

  std::chrono::milliseconds deadline_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<bool> is_here_;
  std::size_t arrived_ = 0;
  std::uint64_t round_ = 0;
  std::optional<Failure> failure_;
};

// Calls `work`; gives what went wrong, if anything did.
std::optional<Failure> failure_of(const std::function<void()>& work);

}  // namespace placecheck::runtime::comm

#endif  // PLACECHECK_RUNTIME_COMM_MEETING_H_
