#include "analyzer/memory_budget.h"

#include <unistd.h>

#include <algorithm>

namespace placecheck {
namespace {

uint64_t machine_memory() {
  long pages = sysconf(_SC_PHYS_PAGES);
  long size = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || size <= 0) return 4096;
  return (static_cast<uint64_t>(pages) * static_cast<uint64_t>(size)) >> 20;
}

}  // namespace

MemoryBudget::MemoryBudget(uint64_t limit)
    : limit_(limit != 0 ? limit : machine_memory() * 3 / 4) {}

MemoryBudget::Share::Share(MemoryBudget& budget, uint64_t size) : budget_(budget), size_(size) {
  std::unique_lock lock(budget_.mutex_);
  budget_.freed_.wait(
      lock, [&] { return budget_.used_ == 0 || budget_.used_ + size_ <= budget_.limit_; });
  budget_.used_ += size_;
}

void MemoryBudget::Share::shrink(uint64_t size) {
  size = std::min(size, size_);
  {
    std::lock_guard lock(budget_.mutex_);
    budget_.used_ -= size_ - size;
  }
  size_ = size;
  budget_.freed_.notify_all();
}

}  // namespace placecheck
