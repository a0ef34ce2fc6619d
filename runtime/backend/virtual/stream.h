// A virtual stream: a thread that runs tasks in the order in which they were given, and may start
// each of them late. Threads: all methods may be called from any thread but the stream's own.
// Errors: the first exception of a task is kept, and raised by the next drain().
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

  void submit(Task task);
  std::shared_ptr<VirtualEvent> record();
  // Waits until all that was given before is done. Throws what a task threw, or
  // CommunicationError at the deadline.
  void drain();

 private:
  void work();
  void run(Task& task);
  void start_late();

  const VirtualOptions& options_;
  std::uint64_t random_state_;
  std::mutex mutex_;
  std::condition_variable given_;
  std::condition_variable done_;
  std::deque<Task> tasks_;
  std::uint64_t submitted_ = 0;
  std::uint64_t completed_ = 0;
  bool is_closing_ = false;
  std::exception_ptr error_;
  std::thread thread_;
};

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_BACKEND_VIRTUAL_STREAM_H_
