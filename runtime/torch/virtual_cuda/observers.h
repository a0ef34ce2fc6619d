// Hooks for who tells a program where its tensors come from: one is called when memory is made, one
// when a mistake is about to be raised. Both are off until they are set, and cost a branch then.
//
// Threads: set them before tensors are made; they are called by any thread, with no lock held, and
// must not throw nor use tensors.
#ifndef PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_OBSERVERS_H_
#define PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_OBSERVERS_H_

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include <atomic>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace placecheck::virtual_cuda {

// Memory of a device that has just been allocated, or has just become a result's; with host memory
// observed, also memory of the CPU. An address that comes again is new memory.
using AllocationObserver = void (*)(const void* address, std::size_t bytes, c10::Device device);

// Null: no longer.
void set_allocation_observer(AllocationObserver observer);
// Also calls the observer for what libtorch allocates for the CPU from now on. Once for the
// process.
void observe_host_allocations();

// While one lives, this thread's host memory is no news: a kernel works in it, and what it returns
// is seen when it becomes a device's.
class HostAllocationsUnobserved {
 public:
  HostAllocationsUnobserved() noexcept : before_(is_active_) { is_active_ = true; }
  ~HostAllocationsUnobserved() { is_active_ = before_; }
  HostAllocationsUnobserved(const HostAllocationsUnobserved&) = delete;
  HostAllocationsUnobserved& operator=(const HostAllocationsUnobserved&) = delete;

  static bool is_active() noexcept { return is_active_; }

 private:
  static inline thread_local bool is_active_ = false;
  bool before_;
};

// An operand of a call that broke a rule; `tensor` lives while the observer runs.
struct MistakenOperand {
  std::string_view name;  // of the operator's argument; empty where it has none
  const at::Tensor* tensor;
};

struct Mistake {
  std::string_view rule;       // the rule's id, for placecheck --explain
  std::string_view message;    // PyTorch's
  std::string_view operation;  // "wrapper_CUDA_addmm", or the operator's name
  std::vector<MistakenOperand> operands;
};

// What it returns is added to the message, after a line break; nothing is added where it is empty.
using MistakeExplainer = std::string (*)(const Mistake& mistake);

void set_mistake_explainer(MistakeExplainer explainer);
// The message with what there is to add to it.
std::string explained(const Mistake& mistake);

// Called for all memory of devices.
inline std::atomic<AllocationObserver> allocation_observer{nullptr};

inline void observe_allocation(const void* address, std::size_t bytes, c10::Device device) {
  const AllocationObserver observer = allocation_observer.load(std::memory_order_relaxed);
  if (observer != nullptr) [[unlikely]] {
    observer(address, bytes, device);
  }
}

}  // namespace placecheck::virtual_cuda

#endif  // PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_OBSERVERS_H_
