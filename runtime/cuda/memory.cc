#include "runtime/cuda/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <iterator>
#include <map>
#include <mutex>

namespace placecheck::cuda {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kMostAddresses = std::size_t{16} << 40;
constexpr std::size_t kFewestAddresses = std::size_t{1} << 30;
constexpr std::size_t kUsualDeviceBytes = std::size_t{16} << 30;

// Written once, before the first allocation; read by is_from_here() without a lock.
std::atomic<char*> range_begin{nullptr};
std::atomic<char*> range_end{nullptr};

std::size_t rounded(std::size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

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
  const char* page = at - reinterpret_cast<std::uintptr_t>(address) % kPage;
  return mincore(const_cast<char*>(page), 1, &state) == 0;
}

bool map_shared(void* at, std::size_t bytes) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  return mmap(at, bytes, PROT_READ | PROT_WRITE, flags, -1, 0) != MAP_FAILED;
}

class Register {
 public:
  void* allocate(MemoryKind kind, int device, std::size_t bytes) {
    std::lock_guard<std::mutex> lock(mutex_);
    const std::size_t size = rounded(bytes == 0 ? 1 : bytes);
    if (!has_room(kind, device, size)) return nullptr;
    Memory memory{kind, device, next_, bytes, nullptr};
    if (kind == MemoryKind::kDevice) {
      memory.alias = static_cast<char*>(map_device(next_, size));
      if (memory.alias == nullptr) return nullptr;
      used_[device] += size;
    } else if (!map_shared(next_, size)) {
      return nullptr;
    }
    // A page in between, so that what runs over an end is noticed. No address is used twice.
    next_ += size + kPage;
    memories_[memory.begin] = memory;
    return memory.begin;
  }

  bool release(void* begin) {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto found = memories_.find(static_cast<char*>(begin));
    if (found == memories_.end() || !is_from_here(begin)) return false;
    const std::size_t size = rounded(found->second.bytes == 0 ? 1 : found->second.bytes);
    reserve(begin, size);
    if (found->second.alias != nullptr) {
      munmap(found->second.alias, size);
      used_[found->second.device] -= size;
    }
    memories_.erase(found);
    return true;
  }

  Memory at(const void* address) {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto* at = static_cast<const char*>(address);
    auto after = memories_.upper_bound(const_cast<char*>(at));
    if (after != memories_.begin()) {
      const Memory& before = std::prev(after)->second;
      if (at < before.begin + before.bytes || at == before.begin) return before;
    }
    const bool is_of_host = !is_from_here(address) && is_mapped(address);
    return {.kind = is_of_host ? MemoryKind::kHost : MemoryKind::kNowhere};
  }

  bool add(const Memory& memory) {
    std::lock_guard<std::mutex> lock(mutex_);
    return memories_.emplace(memory.begin, memory).second;
  }

  bool remove(void* begin) {
    std::lock_guard<std::mutex> lock(mutex_);
    return memories_.erase(static_cast<char*>(begin)) > 0;
  }

  std::size_t used(int device) {
    std::lock_guard<std::mutex> lock(mutex_);
    return used_[device];
  }

 private:
  bool has_room(MemoryKind kind, int device, std::size_t size) {
    if (next_ == nullptr) reserve_range();
    if (next_ == nullptr || size > static_cast<std::size_t>(range_end - next_)) return false;
    return kind != MemoryKind::kDevice || used_[device] + size <= total_bytes();
  }

  // As many addresses as this process may have.
  void reserve_range() {
    for (std::size_t bytes = kMostAddresses; bytes >= kFewestAddresses; bytes /= 2) {
      void* begin = reserve(nullptr, bytes);
      if (begin == MAP_FAILED) continue;
      next_ = static_cast<char*>(begin);
      range_end = next_ + bytes;
      range_begin = next_;
      return;
    }
  }

  std::mutex mutex_;
  std::map<char*, Memory> memories_;
  std::map<int, std::size_t> used_;
  char* next_ = nullptr;
};

// Never destroyed: static objects of the program give memory back late.
Register& the_register() {
  static auto* memories = new Register;
  return *memories;
}

}  // namespace

void* allocate(MemoryKind kind, int device, std::size_t bytes) {
  return the_register().allocate(kind, device, bytes);
}

bool release(void* begin) { return the_register().release(begin); }

Memory memory_at(const void* address) { return the_register().at(address); }

bool is_from_here(const void* address) {
  const auto* at = static_cast<const char*>(address);
  return at >= range_begin.load(std::memory_order_relaxed) &&
         at < range_end.load(std::memory_order_relaxed);
}

bool pin(void* begin, std::size_t bytes) {
  return the_register().add({MemoryKind::kPinned, 0, static_cast<char*>(begin), bytes, nullptr});
}

bool unpin(void* begin) {
  const Memory memory = memory_at(begin);
  const bool is_registered = memory.kind == MemoryKind::kPinned && !is_from_here(begin);
  return is_registered && the_register().remove(begin);
}

void add_managed(void* begin, std::size_t bytes) {
  if (bytes == 0) return;
  the_register().add({MemoryKind::kManaged, 0, static_cast<char*>(begin), bytes, nullptr});
}

char* accessible(void* address, std::size_t bytes) {
  auto* at = static_cast<char*>(address);
  const Memory memory = memory_at(address);
  if (memory.kind == MemoryKind::kHost) return at;
  if (memory.kind == MemoryKind::kNowhere) return nullptr;
  const auto offset = static_cast<std::size_t>(at - memory.begin);
  if (is_from_here(address) && bytes > memory.bytes - offset) return nullptr;
  return memory.alias == nullptr ? at : memory.alias + offset;
}

rules::cuda_pointer_placement::Memory fact_of(const Memory& memory) {
  using rules::DeviceFact;
  switch (memory.kind) {
    case MemoryKind::kHost:
      return {.place = DeviceFact::cpu()};
    case MemoryKind::kPinned:
      return {.place = DeviceFact::cpu(), .is_pinned = true};
    case MemoryKind::kDevice:
      return {.place = DeviceFact::cuda(static_cast<std::uint32_t>(memory.device))};
    case MemoryKind::kManaged:
    case MemoryKind::kNowhere:
      break;
  }
  return {};
}

std::size_t total_bytes() {
  static const std::size_t kTotal = [] {
    const char* text = std::getenv("PLACECHECK_VIRTUAL_MEMORY");
    const std::size_t bytes = text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
    return bytes == 0 ? kUsualDeviceBytes : bytes;
  }();
  return kTotal;
}

std::size_t free_bytes(int device) { return total_bytes() - the_register().used(device); }

}  // namespace placecheck::cuda
