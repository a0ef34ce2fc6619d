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
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace placecheck::virtual_cuda {

// Memory of a device that has just been allocated, or has just become a result's; with host memory
// observed, also memory of the CPU. An address that comes again is new memory.
using AllocationObserver = void (*)(const void* address, std::size_t bytes, c10::Device device);

// Null: no longer.
void set_allocation_observer(AllocationObserver observer);
// Puts an allocator before libtorch's own for the CPU, which knows what kernels on the host take
// (KernelOnHost). Once for the process.
void watch_host_allocations();
// Also calls the observer for what libtorch allocates for the CPU from now on.
void observe_host_allocations();

// While one lives, this thread's kernel works on the host for `device`. Host memory that it takes
// is no news: what it returns is seen when it becomes the device's. More than the device has is
// refused, as the device would.
class KernelOnHost {
 public:
  explicit KernelOnHost(c10::Device device) noexcept : before_(device_) { device_ = device; }
  ~KernelOnHost() { device_ = before_; }
  KernelOnHost(const KernelOnHost&) = delete;
  KernelOnHost& operator=(const KernelOnHost&) = delete;

  static std::optional<c10::Device> device() noexcept { return device_; }

 private:
  static inline thread_local std::optional<c10::Device> device_;
  std::optional<c10::Device> before_;
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
