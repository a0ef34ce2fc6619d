#include "runtime/torch/python/work_stream.h"

#ifdef PLACECHECK_HAS_PROCESS_GROUPS

#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>
#include <c10/util/ScopeExit.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <set>
#include <utility>

#include "runtime/torch/python/interpreter_lock.h"

namespace placecheck::process_group {
namespace {

bool is_main_thread() { return syscall(SYS_gettid) == getpid(); }

std::vector<c10::Device> devices_of(const std::vector<at::Tensor>& tensors) {
  std::set<c10::DeviceIndex> indices;
  for (const at::Tensor& tensor : tensors) {
    if (tensor.is_cuda()) indices.insert(tensor.device().index());
  }
  std::vector<c10::Device> devices;
  for (const c10::DeviceIndex index : indices) devices.emplace_back(c10::kCUDA, index);
  return devices;
}

}  // namespace

StreamWork::StreamWork(int rank, c10d::OpType type,
                       std::shared_ptr<std::atomic<int>> main_thread_waits)
    : Work(rank, type), main_thread_waits_(std::move(main_thread_waits)) {}

void StreamWork::add_results(const std::vector<at::Tensor>& results) {
  results_.insert(results_.end(), results.begin(), results.end());
}

bool StreamWork::wait(std::chrono::milliseconds timeout) {
  if (!is_launched_) return true;
  is_waited_for_ = true;
  const python::WithoutInterpreterLock unlocked;
  const int counted = is_main_thread() ? 1 : 0;
  *main_thread_waits_ += counted;
  const auto no_longer = c10::make_scope_exit([&] { *main_thread_waits_ -= counted; });
  return Work::wait(timeout);
}

c10::intrusive_ptr<c10::ivalue::Future> StreamWork::getFuture() {
  auto future = c10::make_intrusive<c10::ivalue::Future>(
      c10::ListType::create(c10::TensorType::get()), devices_of(results_));
  try {
    wait();
    future->markCompleted(c10::IValue(results_));
  } catch (const std::exception&) {
    future->setError(std::current_exception());
  }
  return future;
}

#ifdef PLACECHECK_GROUPS_HAVE_BACKENDS
c10::intrusive_ptr<c10::ivalue::Future> StreamWork::getFutureResult() {
  auto future = c10::make_intrusive<c10::ivalue::Future>(c10::IntType::get());
  c10d::WorkResult result = c10d::WorkResult::SUCCESS;
  try {
    wait();
  } catch (const std::exception&) {
    result = c10d::WorkResult::COMM_ERROR;
  }
  future->markCompleted(c10::IValue(static_cast<std::int64_t>(result)));
  return future;
}
#endif

void StreamWork::tell_failure() {
  if (!is_waited_for_.exchange(true) && exception()) std::rethrow_exception(exception());
}

WorkStream::WorkStream()
    : main_thread_waits_(std::make_shared<std::atomic<int>>(0)),
      queue_(std::make_shared<Queue>(main_thread_waits_)),
      thread_([queue = queue_] { queue->run(); }) {
  virtual_cuda::add_pending_work(queue_);
}

WorkStream::~WorkStream() {
  const python::WithoutInterpreterLock unlocked;
  queue_->end();
  thread_.join();
}

c10::intrusive_ptr<StreamWork> WorkStream::make_work(int rank, c10d::OpType type) {
  return c10::make_intrusive<StreamWork>(rank, type, main_thread_waits_);
}

void WorkStream::add(c10::intrusive_ptr<StreamWork> work, std::function<void()> task) {
  work->launch();
  queue_->add({std::move(work), std::move(task)});
}

void WorkStream::Queue::add(Item item) {
  {
    std::lock_guard lock(mutex_);
    items_.push_back(std::move(item));
  }
  changed_.notify_all();
}

void WorkStream::Queue::drain() {
  const python::WithoutInterpreterLock unlocked;
  const int counted = is_main_thread() ? 1 : 0;
  *main_thread_waits_ += counted;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return items_.empty() && !is_busy_; });
  *main_thread_waits_ -= counted;
}

void WorkStream::Queue::finish() {
  drain();
  c10::intrusive_ptr<StreamWork> failed;
  {
    std::lock_guard lock(mutex_);
    failed = std::move(failed_);
  }
  if (failed) failed->tell_failure();
}

void WorkStream::Queue::end() {
  {
    std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_all();
}

void WorkStream::Queue::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return !items_.empty() || is_ending_; });
    if (items_.empty()) return;
    Item item = std::move(items_.front());
    items_.pop_front();
    is_busy_ = true;
    lock.unlock();
    run(std::move(item));
    lock.lock();
    is_busy_ = false;
    changed_.notify_all();
  }
}

void WorkStream::Queue::run(Item item) {
  std::exception_ptr error;
  try {
    item.task();
  } catch (...) {
    error = std::current_exception();
  }
  item.task = nullptr;  // gives its tensors back before the work is seen as done
  if (error) {
    std::lock_guard lock(mutex_);
    failed_ = item.work;
  }
  item.work->complete(std::move(error));
}

}  // namespace placecheck::process_group

#endif  // PLACECHECK_HAS_PROCESS_GROUPS
