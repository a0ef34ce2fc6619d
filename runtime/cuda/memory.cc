#include "runtime/cuda/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>

#include "runtime/cuda/device_pages.h"
#include "runtime/devices/machine.h"

namespace placecheck::cuda {
namespace {

constexpr std::size_t kMostAddresses = std::size_t{16} << 40;
constexpr std::size_t kFewestAddresses = std::size_t{1} << 30;

// Written once, before the first allocation; read by is_from_here() without a lock.
std::atomic<char*> range_begin{nullptr};
std::atomic<char*> range_end{nullptr};

// Of what lies between them.
DevicePages device_pages;

std::size_t rounded(std::size_t bytes) {
  return (bytes + page_size() - 1) / page_size() * page_size();
}

// Addresses without memory behind them.
void* reserve(void* at, std::size_t bytes) {
  const int fixed = at == nullptr ? 0 : MAP_FIXED;
  return mmap(at, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
}

// Memory at `at` that only its alias, which is returned, can be used for; null where there is none.
void* map_device(void* at, std::size_t bytes) {
  const int file = memfd_create("placecheck-device", MFD_CLOEXEC);
  if (file < 0) return nullptr;
  void* alias = nullptr;
  if (ftruncate(file, static_cast<off_t>(bytes)) == 0) {
    alias = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    void* own = mmap(at, bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, file, 0);
    if (alias == MAP_FAILED || own == MAP_FAILED) alias = nullptr;
  }
  close(file);
  return alias;
}

// Whether there is anything at an address of the host: pointers without a value lead anywhere.
bool is_mapped(const void* address) {
  unsigned char state = 0;
  const auto* at = static_cast<const char*>(address);
  const char* page = at - reinterpret_cast<std::uintptr_t>(address) % page_size();
  return mincore(const_cast<char*>(page), 1, &state) == 0;
}

bool map_shared(void* at, std::size_t bytes) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  return mmap(at, bytes, PROT_READ | PROT_WRITE, flags, -1, 0) != MAP_FAILED;
}

// The memory that this library made or was told of, and the addresses that are left for more.
class Owned {
 public:
  void* allocate(MemoryKind kind, int device, std::size_t bytes) {
    std::lock_guard<std::mutex> lock(mutex_);
    const std::size_t size = rounded(bytes == 0 ? 1 : bytes);
    if (next_ == nullptr) reserve_range();
    if (next_ == nullptr || size > static_cast<std::size_t>(range_end - next_)) return nullptr;
    const bool is_device = kind == MemoryKind::kDevice;
    if (is_device && !devices::machine().charge(device, size)) return nullptr;
    devices::Extent extent{to_extent_kind(kind), device, next_, bytes, nullptr};
    if (!map(extent, size)) {
      if (is_device) devices::machine().discharge(device, size);
      return nullptr;
    }
    // A page in between, so that what runs over an end is noticed. No address is used twice.
    next_ += size + page_size();
    keep(extent);
    if (is_device) device_pages.set(extent.begin, size, device);
    return extent.begin;
  }

  bool release(void* begin) {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto found = blocks_.find(static_cast<char*>(begin));
    if (found == blocks_.end() || !is_from_here(begin)) return false;
    const devices::Block& block = *found->second;
    const std::size_t size = rounded(block.bytes == 0 ? 1 : block.bytes);
    device_pages.clear(block.begin, size);
    reserve(begin, size);
    if (block.alias != nullptr) {
      munmap(block.alias, size);
      devices::machine().discharge(block.device, size);
    }
    forget(found);
    return true;
  }

  bool add(MemoryKind kind, void* begin, std::size_t bytes) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (blocks_.contains(static_cast<char*>(begin))) return false;
    keep({to_extent_kind(kind), 0, static_cast<char*>(begin), bytes, nullptr});
    return true;
  }

  bool remove(void* begin) {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto found = blocks_.find(static_cast<char*>(begin));
    if (found == blocks_.end()) return false;
    forget(found);
    return true;
  }

 private:
  using Blocks = std::map<char*, std::unique_ptr<devices::Block>>;

  static devices::MemoryKind to_extent_kind(MemoryKind kind) {
    if (kind == MemoryKind::kDevice) return devices::MemoryKind::kDevice;
    return kind == MemoryKind::kPinned ? devices::MemoryKind::kPinned
                                       : devices::MemoryKind::kManaged;
  }

  static bool map(devices::Extent& extent, std::size_t size) {
    if (extent.kind != devices::MemoryKind::kDevice) return map_shared(extent.begin, size);
    extent.alias = static_cast<char*>(map_device(extent.begin, size));
    return extent.alias != nullptr;
  }

  void keep(const devices::Extent& extent) {
    auto& block = blocks_[extent.begin] = std::make_unique<devices::Block>(extent);
    devices::machine().add(*block);
  }

  void forget(Blocks::iterator block) {
    devices::machine().remove(*block->second);
    blocks_.erase(block);
  }

  // As many addresses as this process may have.
  void reserve_range() {
    for (std::size_t bytes = kMostAddresses; bytes >= kFewestAddresses; bytes /= 2) {
      void* begin = reserve(nullptr, bytes);
      if (begin == MAP_FAILED) continue;
      if (!device_pages.cover(static_cast<char*>(begin), bytes)) {
        munmap(begin, bytes);
        continue;
      }
      next_ = static_cast<char*>(begin);
      range_end = next_ + bytes;
      range_begin = next_;
      return;
    }
  }

  std::mutex mutex_;
  Blocks blocks_;
  char* next_ = nullptr;
};

// Never destroyed: static objects of the program give memory back late.
Owned& owned() {
  static auto* memory = new Owned;
  return *memory;
}

MemoryKind kind_of(devices::MemoryKind kind) {
  switch (kind) {
    case devices::MemoryKind::kDevice:
      return MemoryKind::kDevice;
    case devices::MemoryKind::kPinned:
      return MemoryKind::kPinned;
    case devices::MemoryKind::kManaged:
      return MemoryKind::kManaged;
  }
  return MemoryKind::kNowhere;
}

}  // namespace

void* allocate(MemoryKind kind, int device, std::size_t bytes) {
  return owned().allocate(kind, device, bytes);
}

bool release(void* begin) { return owned().release(begin); }

Memory memory_at(const void* address) {
  if (const auto extent = devices::machine().find(address)) {
    return {kind_of(extent->kind), extent->device, extent->begin, extent->bytes, extent->alias};
  }
  const bool is_of_host = !is_from_here(address) && is_mapped(address);
  return {.kind = is_of_host ? MemoryKind::kHost : MemoryKind::kNowhere};
}

bool is_from_here(const void* address) {
  const auto* at = static_cast<const char*>(address);
  return at >= range_begin.load(std::memory_order_relaxed) &&
         at < range_end.load(std::memory_order_relaxed);
}

int device_at(const void* address) noexcept { return device_pages.device_at(address); }

bool pin(void* begin, std::size_t bytes) { return owned().add(MemoryKind::kPinned, begin, bytes); }

bool unpin(void* begin) {
  const Memory memory = memory_at(begin);
  const bool is_registered = memory.kind == MemoryKind::kPinned && !is_from_here(begin);
  return is_registered && owned().remove(begin);
}

void add_managed(void* begin, std::size_t bytes) {
  if (bytes == 0) return;
  owned().add(MemoryKind::kManaged, begin, bytes);
}

char* accessible(void* address, std::size_t bytes) {
  auto* at = static_cast<char*>(address);
  const Memory memory = memory_at(address);
  if (memory.kind == MemoryKind::kHost) return at;
  if (memory.kind == MemoryKind::kNowhere) return nullptr;
  const auto offset = static_cast<std::size_t>(at - memory.begin);
  const bool has_bounds = is_from_here(address) || memory.kind == MemoryKind::kDevice;
  if (has_bounds && bytes > memory.bytes - offset) return nullptr;
  return memory.alias == nullptr ? at : memory.alias + offset;
}

std::size_t total_bytes() { return devices::machine().memory_limit(); }

std::size_t free_bytes(int device) { return total_bytes() - devices::machine().used(device); }

}  // namespace placecheck::cuda
