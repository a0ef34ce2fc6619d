#include "runtime/cuda/device_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>

namespace placecheck::cuda {

std::size_t page_size() {
  static const auto kSize = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return kSize;
}

bool DevicePages::cover(const char* begin, std::size_t bytes) {
  const std::size_t pages = bytes / page_size();
  void* numbers = mmap(nullptr, pages, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (numbers == MAP_FAILED) return false;
  numbers_ = static_cast<unsigned char*>(numbers);
  pages_ = pages;
  begin_ = begin;
  return true;
}

void DevicePages::set(const char* begin, std::size_t bytes, int device) {
  const std::size_t first = static_cast<std::size_t>(begin - begin_) / page_size();
  const std::size_t end = first + bytes / page_size();
  for (std::size_t i = first; i < end; ++i) {
    std::atomic_ref(numbers_[i])
        .store(static_cast<unsigned char>(device + 1), std::memory_order_relaxed);
  }
}

int DevicePages::device_at(const void* address) const noexcept {
  const auto* at = static_cast<const char*>(address);
  if (at < begin_) return kNone;
  const std::size_t page = static_cast<std::size_t>(at - begin_) / page_size();
  if (page >= pages_) return kNone;
  return std::atomic_ref(numbers_[page]).load(std::memory_order_relaxed) - 1;
}

}  // namespace placecheck::cuda
