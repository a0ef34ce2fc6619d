#include "runtime/parallel/replica_threads.h"

#include <new>
#include <stdexcept>
#include <string>

#include "runtime/autograd/grad_mode.h"
#include "runtime/backend/devices.h"
#include "runtime/core/check.h"

namespace placecheck::runtime::nn {

// One thread, which takes one task at a time.
class ReplicaThreads::Worker {
 public:
  Worker() : thread_([this] { work(); }) {}
  ~Worker() {
    {
      std::lock_guard lock(mutex_);
      is_closing_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  void start(std::function<void()> task) {
    {
      std::lock_guard lock(mutex_);
      task_ = std::move(task);
    }
    changed_.notify_all();
  }

  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return task_ == nullptr; });
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return task_ != nullptr || is_closing_; });
      if (task_ == nullptr) return;
      lock.unlock();
      task_();
      lock.lock();
      task_ = nullptr;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> task_;
  bool is_closing_ = false;
  std::thread thread_;
};

namespace {

// What a replica takes from the thread that called: its grad mode and its streams.
struct Setting {
  bool grad_mode;
  std::vector<StreamId> streams;
};

Setting current_setting(const comm::DeviceList& devices) {
  Setting setting{GradMode::is_enabled(), {}};
  for (DeviceIndex device : devices) setting.streams.push_back(current_stream(device));
  return setting;
}

void call_in(const Setting& setting, std::size_t i, DeviceIndex device,
             const std::function<void(std::size_t)>& call, std::exception_ptr& error) {
  try {
    AutoGradMode grad_mode(setting.grad_mode);
    set_current_stream(setting.streams[i]);
    DeviceGuard guard(Device(kCUDA, device));
    call(i);
  } catch (...) {
    error = std::current_exception();
  }
}

}  // namespace

ReplicaThreads::ReplicaThreads() = default;
ReplicaThreads::~ReplicaThreads() = default;

void ReplicaThreads::run(const comm::DeviceList& devices,
                         const std::function<void(std::size_t)>& call) {
  std::lock_guard lock(mutex_);
  Setting setting = current_setting(devices);
  std::vector<std::exception_ptr> errors(devices.size());
  if (devices.size() == 1) {
    call_in(setting, 0, devices[0], call, errors[0]);
  } else {
    while (workers_.size() < devices.size()) workers_.push_back(std::make_unique<Worker>());
    for (std::size_t i = 0; i < devices.size(); ++i) {
      workers_[i]->start([&, i] { call_in(setting, i, devices[i], call, errors[i]); });
    }
    for (std::size_t i = 0; i < devices.size(); ++i) workers_[i]->wait();
  }
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (errors[i]) rethrow_from_replica(errors[i], i, devices[i]);
  }
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
