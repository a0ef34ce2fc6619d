#include "runtime/parallel/replica_threads.h"

#include <atomic>
#include <chrono>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

#include "runtime/autograd/grad_mode.h"
#include "runtime/backend/devices.h"
#include "runtime/core/check.h"

namespace placecheck::runtime::nn {

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

// One call for every device, in the grad mode and on the streams of the thread that asks for it.
class ReplicaThreads::Run {
 public:
  Run(const comm::DeviceList& devices, const std::function<void(std::size_t)>& call)
      : devices_(devices),
        call_(call),
        grad_mode_(GradMode::is_enabled()),
        errors_(devices.size()) {
    for (DeviceIndex device : devices) streams_.push_back(current_stream(device));
  }

  void call(std::size_t i) noexcept {
    try {
      AutoGradMode grad_mode(grad_mode_);
      set_current_stream(streams_[i]);
      DeviceGuard guard(Device(kCUDA, devices_[i]));
      call_(i);
    } catch (...) {
      errors_[i] = std::current_exception();
    }
  }

  void rethrow() const {
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      if (errors_[i]) rethrow_from_replica(errors_[i], i, devices_[i]);
    }
  }

 private:
  const comm::DeviceList& devices_;
  const std::function<void(std::size_t)>& call_;
  bool grad_mode_;
  std::vector<StreamId> streams_;
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

// What no thread has begun when the first replica is done, the caller runs itself: small replicas
// are done before a thread has woken up.
void ReplicaThreads::run(const comm::DeviceList& devices,
                         const std::function<void(std::size_t)>& call) {
  std::lock_guard lock(mutex_);
  Run run(devices, call);
  while (workers_.size() + 1 < devices.size()) {
    workers_.push_back(std::make_unique<Worker>(workers_.size() + 1));
  }
  for (std::size_t i = 1; i < devices.size(); ++i) workers_[i - 1]->offer(run);
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (i == 0 || workers_[i - 1]->take_back()) run.call(i);
  }
  for (std::size_t i = 1; i < devices.size(); ++i) workers_[i - 1]->wait();
  run.rethrow();
}

void rethrow_from_replica(const std::exception_ptr& error, std::size_t replica,
                          DeviceIndex device) {
  auto text = [&](const char* kind, const std::exception& original) {
    return text_of("Caught ", kind, " in replica ", replica, " on device ", device,
                   ".\nOriginal message: ", original.what());
  };
  try {
    std::rethrow_exception(error);
  } catch (const RuleError& original) {
    throw RuleError(original.rule(), text("RuntimeError", original));
  } catch (const IndexError& original) {
    throw IndexError(text("IndexError", original));
  } catch (const ValueError& original) {
    throw ValueError(text("ValueError", original));
  } catch (const TypeError& original) {
    throw TypeError(text("TypeError", original));
  } catch (const KeyError& original) {
    throw KeyError(text("KeyError", original));
  } catch (const OutOfMemoryError& original) {
    throw OutOfMemoryError(text("OutOfMemoryError", original));
  } catch (const CommunicationError& original) {
    throw CommunicationError(text("CommunicationError", original));
  } catch (const std::invalid_argument& original) {
    throw std::invalid_argument(text("std::invalid_argument", original));
  } catch (const std::out_of_range& original) {
    throw std::out_of_range(text("std::out_of_range", original));
  } catch (const std::logic_error& original) {
    throw std::logic_error(text("std::logic_error", original));
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& original) {
    throw Error(text("RuntimeError", original));
  }
  // What is no std::exception has left as it came.
}

}  // namespace placecheck::runtime::nn
