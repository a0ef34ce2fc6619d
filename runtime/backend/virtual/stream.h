// A virtual stream: runs tasks in the order in which they were given. Its thread does, and may
// start each of them late; where none is to start late, a small task that has nothing before it is
// run at once by the thread that gives it, which is sooner done than handing it over. Threads: all
// methods may be called from any thread but the stream's own, and not by a task. Errors: the first
// exception of a task is kept, and raised by the next drain().
#ifndef PLACECHECK_RUNTIME_BACKEND_VIRTUAL_STREAM_H_
#define PLACECHECK_RUNTIME_BACKEND_VIRTUAL_STREAM_H_

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "runtime/backend/backend.h"
#include "runtime/backend/virtual/virtual_options.h"

namespace placecheck::runtime {

class VirtualEvent : public Event {
 public:
  explicit VirtualEvent(std::chrono::milliseconds deadline) : deadline_(deadline) {}

  bool is_done() const override;
  void synchronize() override;
  void set();

 private:
  std::chrono::milliseconds deadline_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool is_done_ = false;
};

class VirtualStream {
 public:
  using Task = std::function<void()>;

  // `identity` makes the late starts of two streams differ.
  VirtualStream(const VirtualOptions& options, std::uint64_t identity);
  // Runs what is left.
  ~VirtualStream();

  // `work` is about how many numbers the task touches. The task may be called where submit() was.
  template <typename Function>
  void submit(std::int64_t work, const Function& task) {
    if (!run_at_once(work, task)) enqueue(task);
  }
  // Runs the task now if it is small and nothing is before it; whether it did.
  template <typename Function>
  bool run_at_once(std::int64_t work, const Function& task) {
    if (work > kMaxWorkAtOnce || !begin_at_once()) return false;
    run(task);
    end_at_once();
    return true;
  }
  // A task that may have to wait: never run at once.
  void enqueue(Task task);
  std::shared_ptr<VirtualEvent> record();
  // Waits until all that was given before is done. Throws what a task threw, or
  // CommunicationError at the deadline.
  void drain();
  // Waits as long, but neither throws nor takes the error that the next drain() raises.
  void settle() noexcept;

 private:
  // What takes longer is worth another thread: about ten microseconds.
  static constexpr std::int64_t kMaxWorkAtOnce = 1 << 15;

  // Whether nothing is before a task that comes now; then no other is begun until it has ended.
  bool begin_at_once();
  void end_at_once();

  bool wait_for_given(std::unique_lock<std::mutex>& lock);
  void work();
  void start_late();
  void keep(std::exception_ptr error);
  template <typename Function>
  void run(const Function& task) {
    try {
      task();
    } catch (...) {
      keep(std::current_exception());
    }
  }

  const VirtualOptions& options_;
  std::uint64_t random_state_;
  std::mutex mutex_;
  std::condition_variable given_;
  std::condition_variable done_;
  std::deque<Task> tasks_;
  std::uint64_t submitted_ = 0;
  std::uint64_t completed_ = 0;
  bool is_busy_at_once_ = false;
  bool is_closing_ = false;
  std::exception_ptr error_;
  std::thread thread_;
};

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_BACKEND_VIRTUAL_STREAM_H_
