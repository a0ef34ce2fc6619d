#include "runtime/backend/virtual/arena.h"

#include <sys/mman.h>

#include <iterator>

#include "runtime/core/check.h"

namespace placecheck::runtime {
namespace {

constexpr std::size_t kAlignment = 512;
// Free memory that no stream's pending work touches.
constexpr int kAnyStream = -1;

std::size_t rounded(std::size_t bytes) {
  return bytes == 0 ? kAlignment : (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace

Arena::Arena(std::int64_t capacity) : capacity_(rounded(static_cast<std::size_t>(capacity))) {
  void* base = mmap(nullptr, capacity_, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  check<OutOfMemoryError>(base != MAP_FAILED, "no addresses for a virtual device of ", capacity,
                          " bytes: set PLACECHECK_VIRTUAL_MEMORY to less");
  base_ = static_cast<char*>(base);
  free_[0] = {capacity_, kAnyStream};
}

Arena::~Arena() { munmap(base_, capacity_); }

Arena::FreeList::iterator Arena::find_room(std::size_t size, int stream) {
  auto best = free_.end();
  for (auto each = free_.begin(); each != free_.end(); ++each) {
    const auto& [range_size, range_stream] = each->second;
    if (range_size < size || (range_stream != stream && range_stream != kAnyStream)) continue;
    if (range_size == size) return each;
    if (best == free_.end() || range_size < best->second.size) best = each;
  }
  return best;
}

std::optional<Arena::Block> Arena::allocate(std::size_t bytes, int stream) {
  std::lock_guard lock(mutex_);
  std::size_t size = rounded(bytes);
  auto room = find_room(size, stream);
  if (room == free_.end()) return std::nullopt;
  Block block{room->first, size, bytes, stream};
  Free rest{room->second.size - size, room->second.stream};
  free_.erase(room);
  if (rest.size != 0) free_[block.start + size] = rest;
  blocks_[block.start] = block;
  used_ += size;
  return block;
}

Arena::Block Arena::block_of(const void* data) const {
  std::lock_guard lock(mutex_);
  return blocks_.at(static_cast<std::size_t>(static_cast<const char*>(data) - base_));
}

void Arena::release(const Block& block) {
  std::lock_guard lock(mutex_);
  blocks_.erase(block.start);
  used_ -= block.size;
  insert_free(block.start, {block.size, block.stream});
}

// Merges with neighbours that are free for the same stream.
void Arena::insert_free(std::size_t start, Free range) {
  auto next = free_.lower_bound(start);
  if (next != free_.end() && start + range.size == next->first &&
      next->second.stream == range.stream) {
    range.size += next->second.size;
    next = free_.erase(next);
  }
  if (next != free_.begin()) {
    auto previous = std::prev(next);
    if (previous->first + previous->second.size == start &&
        previous->second.stream == range.stream) {
      previous->second.size += range.size;
      return;
    }
  }
  free_[start] = range;
}

void Arena::forget_streams() {
  std::lock_guard lock(mutex_);
  FreeList ranges;
  ranges.swap(free_);
  for (const auto& [start, range] : ranges) insert_free(start, {range.size, kAnyStream});
}

bool Arena::contains(const void* data) const {
  const auto* byte = static_cast<const char*>(data);
  return byte >= base_ && byte < base_ + capacity_;
}

std::int64_t Arena::used() const {
  std::lock_guard lock(mutex_);
  return static_cast<std::int64_t>(used_);
}

}  // namespace placecheck::runtime
