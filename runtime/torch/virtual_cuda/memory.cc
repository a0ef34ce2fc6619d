#include "runtime/torch/virtual_cuda/memory.h"

#include <c10/core/CPUAllocator.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "runtime/devices/machine.h"
#include "runtime/torch/virtual_cuda/device_statistics.h"
#include "runtime/torch/virtual_cuda/devices.h"
#include "runtime/torch/virtual_cuda/host_allocator.h"
#include "runtime/torch/virtual_cuda/memory_use.h"
#include "runtime/torch/virtual_cuda/observers.h"
#include "runtime/torch/virtual_cuda/release.h"
#include "runtime/torch/virtual_cuda/transfers.h"

#if PLACECHECK_TORCH_AT_LEAST(2, 9)
#include <ATen/core/CachingHostAllocator.h>
#endif

namespace placecheck::virtual_cuda {
namespace {

using devices::Extent;
using devices::MemoryKind;

// What a registered data pointer owns: its memory's entry in the register, its part of the device's
// memory, and the memory.
struct OwnedBlock {
  OwnedBlock(const Extent& extent, CountedMemory&& memory, c10::DataPtr&& data)
      : block(extent), counted(std::move(memory)), host(std::move(data)) {
    devices::machine().add(block);
  }
  ~OwnedBlock() { devices::machine().remove(block); }
  OwnedBlock(const OwnedBlock&) = delete;
  OwnedBlock& operator=(const OwnedBlock&) = delete;

  devices::Block block;
  CountedMemory counted;
  c10::DataPtr host;
  UnreadTransfer transfer;
};

void delete_block(void* context) {
  const std::unique_ptr<OwnedBlock> owned(static_cast<OwnedBlock*>(context));
  if (!owned->transfer.is_unread() || owned->block.is_asked_for) [[likely]] {
    return;
  }
  owned->transfer.report(
      c10::Device(c10::kCUDA, static_cast<c10::DeviceIndex>(owned->block.device)));
}

c10::DataPtr registered(c10::DataPtr&& host, Extent extent, CountedMemory&& counted,
                        c10::Device device) {
  extent.begin = static_cast<char*>(host.get());
  if (extent.begin == nullptr) return {nullptr, device};
  auto block = std::make_unique<OwnedBlock>(extent, std::move(counted), std::move(host));
  observe_allocation(extent.begin, extent.bytes, device);
  return {extent.begin, block.release(), &delete_block, device};
}

Extent extent_of(c10::Device device, std::size_t bytes) {
  return {.device = device.index(), .bytes = bytes};
}

// Newer releases ask the allocator of a device for its statistics, for torch.accelerator.
#if PLACECHECK_TORCH_AT_LEAST(2, 9)
class DeviceAllocator final : public HostAllocatorOf<c10::DeviceAllocator> {
 public:
  bool initialized() override { return true; }
  void emptyCache(c10::MempoolId_t /*pool*/) override { release_reserved_memory(); }
  void recordStream(const c10::DataPtr& /*data*/, c10::Stream /*stream*/) override {}
  c10::CachingDeviceAllocator::DeviceStats getDeviceStats(c10::DeviceIndex index) override {
    return device_statistics(index);
  }
  void resetAccumulatedStats(c10::DeviceIndex index) override { reset_accumulated_memory(index); }
  void resetPeakStats(c10::DeviceIndex index) override { reset_peak_memory(index); }
  std::pair<std::size_t, std::size_t> getMemoryInfo(c10::DeviceIndex index) {
    return {free_memory(index), memory_limit()};
  }

 private:
#else
class DeviceAllocator final : public HostAllocator {
#endif
  c10::DataPtr take(std::size_t bytes) const override {
    return allocate_on(c10::Device(c10::kCUDA, current_device()), bytes);
  }
};

#if PLACECHECK_TORCH_AT_LEAST(2, 9)
class PinnedAllocator final : public HostAllocatorOf<at::HostAllocator> {
 public:
  // Work is done when it is asked for, and nothing is kept for later.
  bool record_event(void* /*address*/, void* /*context*/, c10::Stream /*stream*/) override {
    return true;
  }
  void empty_cache() override {}
  at::HostStats get_stats() override { return {}; }
  void reset_accumulated_stats() override {}
  void reset_peak_stats() override {}

 private:
#else
class PinnedAllocator final : public HostAllocator {
#endif
  c10::DataPtr take(std::size_t bytes) const override {
    const Extent pinned{.kind = MemoryKind::kPinned, .device = current_device(), .bytes = bytes};
    return registered(c10::GetCPUAllocator()->allocate(bytes), pinned, CountedMemory(), c10::kCPU);
  }
};

c10::Storage make_storage(c10::DataPtr&& data, std::size_t bytes, c10::Allocator* allocator) {
  return c10::make_intrusive<c10::StorageImpl>(c10::StorageImpl::use_byte_size_t(),
                                               static_cast<std::int64_t>(bytes), std::move(data),
                                               allocator, /*resizable=*/true);
}

// Memory that is owned by its address alone.
struct RawMemory {
  std::mutex mutex;
  std::map<void*, c10::DataPtr> blocks;
};

// Never destroyed: static objects of the program give memory back late.
RawMemory& raw_memory() {
  static auto* memory = new RawMemory;
  return *memory;
}

// Where kernels of the CPU may access what a device's data pointer leads to.
void* host_address(const c10::DataPtr& data) {
  void* address = data.get();
  if (data.get_deleter() == &delete_block || address == nullptr) return address;
  const auto extent = devices::machine().find(address);
  if (!extent || extent->alias == nullptr) return address;
  return extent->alias + (static_cast<char*>(address) - extent->begin);
}

}  // namespace

c10::Allocator* device_allocator() {
  static auto* allocator = new DeviceAllocator;
  return allocator;
}

c10::Allocator* pinned_allocator() {
  static auto* allocator = [] {
    auto* made = new PinnedAllocator;
#if PLACECHECK_TORCH_AT_LEAST(2, 9)
    at::setHostAllocator(c10::kCUDA, made);
#endif
    return made;
  }();
  return allocator;
}

c10::DataPtr allocate_on(c10::Device device, std::size_t bytes) {
  CountedMemory counted(device.index(), bytes);
  return registered(c10::GetCPUAllocator()->allocate(bytes), extent_of(device, bytes),
                    std::move(counted), device);
}

void* allocate_raw(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  c10::DataPtr data = device_allocator()->allocate(bytes);
  void* const address = data.get();
  RawMemory& memory = raw_memory();
  std::lock_guard<std::mutex> lock(memory.mutex);
  memory.blocks.insert_or_assign(address, std::move(data));
  return address;
}

void free_raw(void* address) noexcept {
  RawMemory& memory = raw_memory();
  std::lock_guard<std::mutex> lock(memory.mutex);
  memory.blocks.erase(address);
}

std::optional<c10::Device> device_of_address(const void* address) {
  const auto extent = devices::machine().find(address);
  if (!extent) return std::nullopt;
  return c10::Device(c10::kCUDA, static_cast<c10::DeviceIndex>(extent->device));
}

bool is_pinned_address(const void* address) {
  const auto extent = devices::machine().find(address);
  return extent && extent->kind == MemoryKind::kPinned;
}

c10::DataPtr adopt(c10::DataPtr&& host, std::size_t bytes, c10::Device device) {
  return registered(std::move(host), extent_of(device, bytes), CountedMemory(device.index(), bytes),
                    device);
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

void watch_transfer(const c10::Storage& storage) {
  const c10::DataPtr& data = storage.data_ptr();
  if (data.get_deleter() != &delete_block) return;
  static_cast<OwnedBlock*>(data.get_context())->transfer.begin();
}

c10::Storage look_at(const c10::Storage& storage) {
  c10::DataPtr data(host_address(storage.data_ptr()), c10::kCPU);
  return make_storage(std::move(data), storage.nbytes(), c10::GetCPUAllocator());
}

}  // namespace placecheck::virtual_cuda
