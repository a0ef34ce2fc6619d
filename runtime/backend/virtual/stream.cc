#include "runtime/backend/virtual/stream.h"

#include <utility>

#include "runtime/core/check.h"
#include "runtime/core/random.h"

namespace placecheck::runtime {

bool VirtualEvent::is_done() const {
  std::lock_guard lock(mutex_);
  return is_done_;
}

void VirtualEvent::synchronize() {
  std::unique_lock lock(mutex_);
  bool done = changed_.wait_for(lock, deadline_, [this] { return is_done_; });
  check<CommunicationError>(done, "an event was not reached within ", deadline_.count(), " ms");
}

void VirtualEvent::set() {
  {
    std::lock_guard lock(mutex_);
    is_done_ = true;
  }
  changed_.notify_all();
}

VirtualStream::VirtualStream(const VirtualOptions& options, std::uint64_t identity)
    : options_(options),
      random_state_(options.late_start_seed * 0x9e3779b97f4a7c15ULL + identity),
      thread_([this] { work(); }) {}

VirtualStream::~VirtualStream() {
  {
    std::lock_guard lock(mutex_);
    is_closing_ = true;
  }
  given_.notify_all();
  thread_.join();
}

bool VirtualStream::begin_at_once() {
  if (options_.late_start_seed != 0) return false;
  std::lock_guard lock(mutex_);
  if (submitted_ != completed_) return false;
  ++submitted_;
  is_busy_at_once_ = true;
  return true;
}

void VirtualStream::end_at_once() {
  bool has_more = false;
  {
    std::lock_guard lock(mutex_);
    ++completed_;
    is_busy_at_once_ = false;
    has_more = submitted_ != completed_;
  }
  if (has_more) given_.notify_one();
  done_.notify_all();
}

void VirtualStream::enqueue(Task task) {
  bool was_idle = false;
  {
    std::lock_guard lock(mutex_);
    was_idle = submitted_ == completed_;
    tasks_.push_back(std::move(task));
    ++submitted_;
  }
  if (was_idle) given_.notify_one();
}

std::shared_ptr<VirtualEvent> VirtualStream::record() {
  auto event = std::make_shared<VirtualEvent>(options_.deadline);
  submit(0, [event] { event->set(); });
  return event;
}

// Whether all that was given before was done before the deadline.
bool VirtualStream::wait_for_given(std::unique_lock<std::mutex>& lock) {
  std::uint64_t target = submitted_;
  return done_.wait_for(lock, options_.deadline, [&] { return completed_ >= target; });
}

void VirtualStream::drain() {
  std::unique_lock lock(mutex_);
  bool done = wait_for_given(lock);
  check<CommunicationError>(done, "a stream did not finish its work within ",
                            options_.deadline.count(), " ms");
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void VirtualStream::settle() noexcept {
  std::unique_lock lock(mutex_);
  wait_for_given(lock);
}

void VirtualStream::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    given_.wait(lock, [this] { return !is_busy_at_once_ && (!tasks_.empty() || is_closing_); });
    if (tasks_.empty()) return;
    std::deque<Task> batch;
    batch.swap(tasks_);
    lock.unlock();
    for (const Task& task : batch) {
      if (options_.late_start_seed != 0) start_late();
      run(task);
    }
    std::size_t count = batch.size();
    batch.clear();
    lock.lock();
    completed_ += count;
    done_.notify_all();
  }
}

void VirtualStream::keep(std::exception_ptr error) {
  std::lock_guard lock(mutex_);
  if (!error_) error_ = std::move(error);
}

void VirtualStream::start_late() {
  auto latest = static_cast<std::uint64_t>(options_.latest_start.count());
  std::this_thread::sleep_for(std::chrono::microseconds(next_random(random_state_) % (latest + 1)));
}

}  // namespace placecheck::runtime
