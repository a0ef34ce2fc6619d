#include "runtime/parallel/common/replica_threads.h"

#include <atomic>
#include <chrono>
#include <exception>
#include <thread>
#include <utility>

#include "runtime/core/check.h"

namespace placecheck::parallel {

namespace {

// About what it takes to hand a replica over and to run it.
constexpr std::chrono::microseconds kAwake{50};

// Waits while `atomic` has this value: looks at it for a moment, then sleeps.
template <typename Value>
void wait_while(const std::atomic<Value>& atomic, Value value) {
  auto end = std::chrono::steady_clock::now() + kAwake;
  while (atomic.load(std::memory_order_acquire) == value) {
    if (std::chrono::steady_clock::now() < end) {
      std::this_thread::yield();
    } else {
      atomic.wait(value, std::memory_order_acquire);
    }
  }
}

}  // namespace

// The calls of one run().
class ReplicaThreads::Run {
 public:
  Run(const ReplicaThreads& owner, std::size_t count, const std::function<void(std::size_t)>& call)
      : owner_(owner), outer_(current_), call_(call), errors_(count) {}

  // Whether the calling thread runs a replica of a run of `owner`, however far out.
  static bool is_inside(const ReplicaThreads& owner) {
    const Run* run = current_;
    while (run && &run->owner_ != &owner) run = run->outer_;
    return run != nullptr;
  }

  void call(std::size_t i) noexcept {
    const Run* previous = std::exchange(current_, this);
    try {
      call_(i);
    } catch (...) {
      errors_[i] = std::current_exception();
    }
    current_ = previous;
  }

  std::vector<std::exception_ptr> take_errors() { return std::move(errors_); }

 private:
  // Whose replica the calling thread runs; null outside of replicas.
  static inline thread_local const Run* current_ = nullptr;

  const ReplicaThreads& owner_;
  const Run* outer_;
  const std::function<void(std::size_t)>& call_;
  std::vector<std::exception_ptr> errors_;
};

// One thread, to which one replica at a time is offered.
class ReplicaThreads::Worker {
 public:
  explicit Worker(std::size_t replica) : replica_(replica), thread_([this] { work(); }) {}
  ~Worker() {
    set(State::kClosing);
    thread_.join();
  }

  void offer(Run& run) {
    run_ = &run;
    set(State::kOffered);
  }
  // Whether the thread has not begun, and now will not.
  bool take_back() { return change(State::kOffered, State::kIdle); }
  void wait() const { wait_while(state_, State::kRunning); }

 private:
  enum class State { kIdle, kOffered, kRunning, kClosing };

  void set(State state) {
    state_.store(state, std::memory_order_release);
    state_.notify_all();
  }
  bool change(State from, State to) {
    return state_.compare_exchange_strong(from, to, std::memory_order_acq_rel);
  }
  void work() {
    while (true) {
      wait_while(state_, State::kIdle);
      if (change(State::kOffered, State::kRunning)) {
        run_->call(replica_);
        set(State::kIdle);
      } else if (state_.load(std::memory_order_acquire) == State::kClosing) {
        return;
      }
    }
  }

  std::size_t replica_;
  std::atomic<State> state_{State::kIdle};
  Run* run_ = nullptr;
  std::thread thread_;
};

ReplicaThreads::ReplicaThreads() = default;
ReplicaThreads::~ReplicaThreads() = default;

bool ReplicaThreads::is_nested() const { return Run::is_inside(*this); }

// What no thread has begun when the first replica is done, the caller runs itself: small replicas
// are done before a thread has woken up.
std::vector<std::exception_ptr> ReplicaThreads::run(std::size_t count,
                                                    const std::function<void(std::size_t)>& call) {
  runtime::check(!is_nested(), kNested);
  std::lock_guard lock(mutex_);
  Run run(*this, count, call);
  while (workers_.size() + 1 < count) {
    workers_.push_back(std::make_unique<Worker>(workers_.size() + 1));
  }
  for (std::size_t i = 1; i < count; ++i) workers_[i - 1]->offer(run);
  for (std::size_t i = 0; i < count; ++i) {
    if (i == 0 || workers_[i - 1]->take_back()) run.call(i);
  }
  for (std::size_t i = 1; i < count; ++i) workers_[i - 1]->wait();
  return run.take_errors();
}

}  // namespace placecheck::parallel
