#include "runtime/torch/virtual_cuda/observers.h"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>

#include "runtime/torch/virtual_cuda/host_allocator.h"
#include "runtime/torch/virtual_cuda/memory_use.h"

namespace placecheck::virtual_cuda {
namespace {

std::atomic<MistakeExplainer> mistake_explainer{nullptr};

std::atomic<bool> observes_host{false};

// libtorch's allocator of the CPU, watched.
class WatchedAllocator final : public HostAllocator {
 public:
  explicit WatchedAllocator(c10::Allocator* allocator) : allocator_(allocator) {}

  c10::DeleterFnPtr raw_deleter() const override { return allocator_->raw_deleter(); }

 private:
  c10::DataPtr take(std::size_t bytes) const override {
    const std::optional<c10::Device> device = KernelOnHost::device();
    if (device) refuse_beyond_limit(device->index(), bytes);
    c10::DataPtr data = allocator_->allocate(bytes);
    if (!device && observes_host.load(std::memory_order_relaxed)) {
      observe_allocation(data.get(), bytes, c10::kCPU);
    }
    return data;
  }

  c10::Allocator* allocator_;
};

}  // namespace

void set_allocation_observer(AllocationObserver observer) { allocation_observer = observer; }

void observe_host_allocations() { observes_host = true; }

void watch_host_allocations() {
  static const bool kIsDone = [] {
    // Above the priority of libtorch's own.
    constexpr std::uint8_t kPriority = 1;
    c10::SetCPUAllocator(new WatchedAllocator(c10::GetCPUAllocator()), kPriority);
    return true;
  }();
  static_cast<void>(kIsDone);
}

void set_mistake_explainer(MistakeExplainer explainer) { mistake_explainer = explainer; }

std::string explained(const Mistake& mistake) {
  std::string text(mistake.message);
  const MistakeExplainer explainer = mistake_explainer.load();
  if (explainer == nullptr) return text;
  const std::string more = explainer(mistake);
  return more.empty() ? text : text + "\n" + more;
}

}  // namespace placecheck::virtual_cuda
