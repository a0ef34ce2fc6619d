#include "runtime/devices/extent_register.h"

#include <iterator>

namespace placecheck::devices {
namespace {

bool has(const Extent& extent, const char* address) {
  return address == extent.begin ||
         (address > extent.begin && address < extent.begin + extent.bytes);
}

std::uintptr_t number_of(const char* address) { return reinterpret_cast<std::uintptr_t>(address); }

}  // namespace

void ExtentRegister::add(Block& block) {
  if (!is_small(block)) {
    std::lock_guard<std::mutex> lock(large_mutex_);
    large_.insert_or_assign(block.begin, &block);
    return;
  }
  List& list = list_of(number_of(block.begin) >> kRegionBits);
  std::lock_guard<std::mutex> lock(list.mutex);
  block.previous = nullptr;
  block.next = list.first;
  if (list.first != nullptr) list.first->previous = &block;
  list.first = &block;
}

void ExtentRegister::remove(Block& block) noexcept {
  if (!is_small(block)) {
    std::lock_guard<std::mutex> lock(large_mutex_);
    const auto found = large_.find(block.begin);
    // Another block may have the address by now.
    if (found != large_.end() && found->second == &block) large_.erase(found);
    return;
  }
  List& list = list_of(number_of(block.begin) >> kRegionBits);
  std::lock_guard<std::mutex> lock(list.mutex);
  (block.previous != nullptr ? block.previous->next : list.first) = block.next;
  if (block.next != nullptr) block.next->previous = block.previous;
}

std::optional<Extent> ExtentRegister::find(const void* address) noexcept {
  const auto* at = static_cast<const char*>(address);
  const std::uintptr_t region = number_of(at) >> kRegionBits;
  if (auto found = find_small(region, at)) return found;
  if (region > 0) {
    if (auto found = find_small(region - 1, at)) return found;
  }
  return find_large(at);
}

std::optional<Extent> ExtentRegister::find_small(std::uintptr_t region,
                                                 const char* address) noexcept {
  List& list = list_of(region);
  std::lock_guard<std::mutex> lock(list.mutex);
  for (const Block* block = list.first; block != nullptr; block = block->next) {
    if (!has(*block, address)) continue;
    block->is_asked_for.store(true, std::memory_order_relaxed);
    return *block;
  }
  return std::nullopt;
}

std::optional<Extent> ExtentRegister::find_large(const char* address) noexcept {
  std::lock_guard<std::mutex> lock(large_mutex_);
  const auto after = large_.upper_bound(address);
  if (after == large_.begin()) return std::nullopt;
  const Block& before = *std::prev(after)->second;
  if (!has(before, address)) return std::nullopt;
  before.is_asked_for.store(true, std::memory_order_relaxed);
  return before;
}

std::vector<Extent> ExtentRegister::on(int device) {
  std::vector<Extent> extents;
  const auto add_if_there = [&](const Extent& extent) {
    if (extent.kind == MemoryKind::kDevice && extent.device == device) extents.push_back(extent);
  };
  for (List& list : lists_) {
    std::lock_guard<std::mutex> lock(list.mutex);
    for (const Block* block = list.first; block != nullptr; block = block->next) {
      add_if_there(*block);
    }
  }
  std::lock_guard<std::mutex> lock(large_mutex_);
  for (const auto& [begin, block] : large_) add_if_there(*block);
  return extents;
}

void ExtentRegister::lock_all() {
  for (List& list : lists_) list.mutex.lock();
  large_mutex_.lock();
}

void ExtentRegister::unlock_all() {
  large_mutex_.unlock();
  for (List& list : lists_) list.mutex.unlock();
}

}  // namespace placecheck::devices
