#include "runtime/torch/virtual_cuda/memory.h"

#include <c10/core/CPUAllocator.h>
#include <torch/version.h>

#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "runtime/torch/virtual_cuda/devices.h"

namespace placecheck::virtual_cuda {
namespace {

struct Range {
  std::size_t bytes;
  c10::Device place;
};

class Register {
 public:
  void add(const void* address, Range range) {
    std::lock_guard<std::mutex> lock(mutex_);
    ranges_.insert_or_assign(static_cast<const char*>(address), range);
  }
  void remove(const void* address) {
    std::lock_guard<std::mutex> lock(mutex_);
    ranges_.erase(static_cast<const char*>(address));
  }
  std::optional<c10::Device> find(const void* address) {
    std::lock_guard<std::mutex> lock(mutex_);
    auto after = ranges_.upper_bound(static_cast<const char*>(address));
    if (after == ranges_.begin()) return std::nullopt;
    const auto& [begin, range] = *std::prev(after);
    if (static_cast<const char*>(address) >= begin + range.bytes) return std::nullopt;
    return range.place;
  }

 private:
  std::mutex mutex_;
  std::map<const char*, Range> ranges_;
};

// Never destroyed: tensors with static storage give their memory back late.
Register& memory_register() {
  static auto* memory = new Register;
  return *memory;
}

// What a registered data pointer owns.
struct Block {
  c10::DataPtr host;
};

void delete_block(void* context) {
  std::unique_ptr<Block> block(static_cast<Block*>(context));
  memory_register().remove(block->host.get());
}

// `place` is what the register says; the pointer itself says `device`.
c10::DataPtr registered(c10::DataPtr&& host, Range range, c10::Device device) {
  void* address = host.get();
  if (address == nullptr) return {nullptr, device};
  memory_register().add(address, range);
  auto block = std::make_unique<Block>(Block{std::move(host)});
  return {address, block.release(), &delete_block, device};
}

// c10::Allocator as different releases have it.
class HostAllocator : public c10::Allocator {
 public:
#if TORCH_VERSION_MAJOR >= 2
  c10::DataPtr allocate(std::size_t bytes) final { return take(bytes); }
  void copy_data(void* to, const void* from, std::size_t bytes) const final {
    default_copy_data(to, from, bytes);
  }
#else
  c10::DataPtr allocate(std::size_t bytes) const final { return take(bytes); }
#endif

 private:
  virtual c10::DataPtr take(std::size_t bytes) const = 0;
};

class DeviceAllocator final : public HostAllocator {
  c10::DataPtr take(std::size_t bytes) const override {
    const c10::Device device(c10::kCUDA, current_device());
    return adopt(c10::GetCPUAllocator()->allocate(bytes), bytes, device);
  }
};

class PinnedAllocator final : public HostAllocator {
  c10::DataPtr take(std::size_t bytes) const override {
    return registered(c10::GetCPUAllocator()->allocate(bytes), {bytes, c10::kCPU}, c10::kCPU);
  }
};

c10::Storage make_storage(c10::DataPtr&& data, std::size_t bytes, c10::Allocator* allocator) {
  return c10::make_intrusive<c10::StorageImpl>(c10::StorageImpl::use_byte_size_t(),
                                               static_cast<std::int64_t>(bytes), std::move(data),
                                               allocator, /*resizable=*/true);
}

}  // namespace

c10::Allocator* device_allocator() {
  static auto* allocator = new DeviceAllocator;
  return allocator;
}

c10::Allocator* pinned_allocator() {
  static auto* allocator = new PinnedAllocator;
  return allocator;
}

std::optional<c10::Device> registered_place(const void* address) {
  return memory_register().find(address);
}

c10::DataPtr adopt(c10::DataPtr&& host, std::size_t bytes, c10::Device device) {
  return registered(std::move(host), {bytes, device}, device);
}

c10::Storage adopt(c10::Storage&& host, c10::Device device) {
  const std::size_t bytes = host.nbytes();
  if (host.use_count() == 1) {
    c10::DataPtr data = host.set_data_ptr(c10::DataPtr());
    return make_storage(adopt(std::move(data), bytes, device), bytes, device_allocator());
  }
  // Somebody else holds the storage that the kernel made: keep it alive beside ours.
  void* address = host.data_ptr().get();
  auto keeper = std::make_unique<c10::Storage>(std::move(host));
  c10::DataPtr shared(
      address, keeper.release(), [](void* kept) { delete static_cast<c10::Storage*>(kept); },
      c10::kCPU);
  return make_storage(adopt(std::move(shared), bytes, device), bytes, device_allocator());
}

c10::Storage look_at(const c10::Storage& storage) {
  c10::DataPtr data(storage.data_ptr().get(), c10::kCPU);
  return make_storage(std::move(data), storage.nbytes(), c10::GetCPUAllocator());
}

}  // namespace placecheck::virtual_cuda
