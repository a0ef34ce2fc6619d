// A result of to() or cuda() that is given up in the line that made it, before anything is done
// with it: to() is not in place, so the tensor that was to move stays where it was. Seen in
// programs with debug information, where mistakes are reported (report.h); otherwise nothing is
// watched.
//
// Only memory of devices: results on the CPU may be read by their address. What is passed to code
// that asks the process for its place (devices/machine.h) has been used. Thread-safe.
#ifndef PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_TRANSFERS_H_
#define PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_TRANSFERS_H_

#include <c10/core/Device.h>

#include <cstdint>
#include <memory>

#include "runtime/core/stack.h"

namespace placecheck::virtual_cuda {

// How much this thread has asked of devices, transfers aside.
inline thread_local std::uint64_t work_of_thread = 0;
inline void note_work() noexcept { ++work_of_thread; }

// What is kept beside memory that a transfer has filled.
class UnreadTransfer {
 public:
  void begin() {
    thread_ = &work_of_thread;
    work_ = work_of_thread;
    made_ = std::make_unique<core::StackAddresses>();
    made_->capture();
  }
  // When the memory is given back: whether nothing was done in between, on the same thread.
  bool is_unread() const noexcept { return thread_ == &work_of_thread && work_ == *thread_; }
  // Then: reports it, if it ends in the line that made it.
  void report(c10::Device device) const;

 private:
  const std::uint64_t* thread_ = nullptr;
  std::uint64_t work_ = 0;
  std::unique_ptr<core::StackAddresses> made_;
};

}  // namespace placecheck::virtual_cuda

#endif  // PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_TRANSFERS_H_
