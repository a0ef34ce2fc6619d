// A stream of a process group: its works are done one after the other by a thread of its own, as
// NCCL's kernels are on the stream of a communicator.
//
// wait() of a work holds up the calling thread until the work is done, where a GPU would hold up
// its stream only: device memory is the host's here, and the next kernel runs at once. getFuture()
// does so too, so that callbacks run in the thread that adds them, as with NCCL. None of them keeps
// Python's lock meanwhile: the stream's thread takes it where a tensor's last owner is a work.
//
// A synchronization of the devices waits for all streams (virtual_cuda/pending_work.h).
//
// Ownership: a stream outlives its works' tasks; its destructor does what it was given.
// Thread-safe.
#ifndef PLACECHECK_RUNTIME_TORCH_PYTHON_WORK_STREAM_H_
#define PLACECHECK_RUNTIME_TORCH_PYTHON_WORK_STREAM_H_

#include "runtime/torch/python/has_process_groups.h"

#ifdef PLACECHECK_HAS_PROCESS_GROUPS

#include <ATen/core/Tensor.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <torch/csrc/distributed/c10d/Work.hpp>
#include <utility>
#include <vector>

#include "runtime/torch/virtual_cuda/pending_work.h"

namespace placecheck::process_group {

class StreamWork final : public c10d::Work {
 public:
  // `main_thread_waits` counts the main thread while it waits for this work.
  StreamWork(int rank, c10d::OpType type, std::shared_ptr<std::atomic<int>> main_thread_waits);

  // Before it is given to a stream: what the work will have filled.
  void add_results(const std::vector<at::Tensor>& results);

  // Of a work that no stream has yet (of a coalesced call, before the last one) returns at once.
  bool wait(std::chrono::milliseconds timeout = kNoTimeout) override;
  void synchronize() override {}
  std::vector<at::Tensor> result() override { return results_; }
  c10::intrusive_ptr<c10::ivalue::Future> getFuture() override;
#ifdef PLACECHECK_GROUPS_HAVE_BACKENDS
  c10::intrusive_ptr<c10::ivalue::Future> getFutureResult() override;
#endif

  // Called by the stream.
  void launch() { is_launched_ = true; }
  // Null where all went well.
  void complete(std::exception_ptr error) { finish(std::move(error)); }

  // Of one that has failed and that nobody has waited for: throws why, once.
  void tell_failure();

 private:
  std::vector<at::Tensor> results_;
  std::atomic<bool> is_launched_{false};
  std::atomic<bool> is_waited_for_{false};
  std::shared_ptr<std::atomic<int>> main_thread_waits_;
};

class WorkStream {
 public:
  WorkStream();
  WorkStream(const WorkStream&) = delete;
  WorkStream& operator=(const WorkStream&) = delete;
  ~WorkStream();

  // To be given to add().
  c10::intrusive_ptr<StreamWork> make_work(int rank, c10d::OpType type);
  void add(c10::intrusive_ptr<StreamWork> work, std::function<void()> task);

  // Until all that was added is done, well or not.
  void drain() { queue_->drain(); }

  const std::atomic<int>& main_thread_waits() const { return *main_thread_waits_; }

 private:
  struct Item {
    c10::intrusive_ptr<StreamWork> work;
    std::function<void()> task;
  };

  // What the thread shares with those that wait, who may outlive the stream.
  class Queue final : public virtual_cuda::PendingWork {
   public:
    explicit Queue(std::shared_ptr<std::atomic<int>> main_thread_waits)
        : main_thread_waits_(std::move(main_thread_waits)) {}

    void add(Item item);
    void drain();
    void finish() override;
    // Until end(), and all is done.
    void run();
    void end();

   private:
    void run(Item item);

    const std::shared_ptr<std::atomic<int>> main_thread_waits_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Item> items_;
    bool is_busy_ = false;
    bool is_ending_ = false;
    c10::intrusive_ptr<StreamWork> failed_;  // the latest
  };

  std::shared_ptr<std::atomic<int>> main_thread_waits_;
  std::shared_ptr<Queue> queue_;
  std::thread thread_;
};

}  // namespace placecheck::process_group

#endif  // PLACECHECK_HAS_PROCESS_GROUPS
#endif  // PLACECHECK_RUNTIME_TORCH_PYTHON_WORK_STREAM_H_
