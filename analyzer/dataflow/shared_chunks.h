// A sequence that its copies share, in chunks, until they change it.
//
// One state of each block is kept, and most blocks change few variables and objects: a function
// with many blocks and many variables needs no table of both.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <ranges>
#include <utility>
#include <vector>

namespace placecheck::dataflow {

template <class Item>
class SharedChunks {
 public:
  SharedChunks() = default;
  SharedChunks(const SharedChunks&) = default;
  // What was moved from is empty.
  SharedChunks(SharedChunks&& other) noexcept
      : size_(std::exchange(other.size_, 0)), chunks_(std::move(other.chunks_)) {}
  SharedChunks& operator=(SharedChunks other) noexcept {
    std::swap(size_, other.size_);
    chunks_.swap(other.chunks_);
    return *this;
  }

  size_t size() const { return size_; }
  // About as many as a copy of which one item is changed takes for itself.
  size_t bytes_of_copy() const { return chunks_.size() * sizeof(chunks_[0]) + sizeof(Chunk); }
  const Item& operator[](size_t at) const { return (*chunks_[at / kInChunk])[at % kInChunk]; }
  auto values() const {
    return std::views::iota(size_t{0}, size_) |
           std::views::transform([this](size_t at) -> const Item& { return (*this)[at]; });
  }

  // Makes it `count` copies of one item.
  void assign(size_t count, const Item& item) {
    size_ = 0;
    chunks_.clear();
    extend(count, item);
  }
  void clear() { assign(0, Item()); }
  // Adds copies of an item until there are `count`; does nothing where there are as many.
  void extend(size_t count, const Item& item) {
    for (; size_ < count && size_ % kInChunk != 0; ++size_) edit(size_) = item;
    if (size_ >= count) return;
    auto chunk = std::make_shared<Chunk>();
    chunk->fill(item);
    chunks_.resize((count + kInChunk - 1) / kInChunk, chunk);
    size_ = count;
  }
  void set(size_t at, Item item) { edit(at) = std::move(item); }
  // The item, of this sequence alone.
  Item& edit(size_t at) {
    std::shared_ptr<Chunk>& chunk = chunks_[at / kInChunk];
    if (chunk.use_count() > 1) chunk = std::make_shared<Chunk>(*chunk);
    return (*chunk)[at % kInChunk];
  }
  template <class Predicate>
  void replace_if(Predicate matches, const Item& item) {
    for (size_t at = 0; at < size_; ++at)
      if (matches((*this)[at])) set(at, item);
  }

  // `equal` has to hold between an item and itself. Where one is longer, its rest is compared with
  // `missing`.
  template <class Equal>
  static bool are_equal(const SharedChunks& a, const SharedChunks& b, Equal equal,
                        const Item& missing) {
    const size_t count = std::max(a.size_, b.size_);
    for (size_t start = 0; start < count; start += kInChunk) {
      if (start < a.size_ && start < b.size_ &&
          a.chunks_[start / kInChunk] == b.chunks_[start / kInChunk])
        continue;
      for (size_t at = start; at < std::min(start + kInChunk, count); ++at) {
        if (!equal(at < a.size_ ? a[at] : missing, at < b.size_ ? b[at] : missing)) return false;
      }
    }
    return true;
  }

 private:
  static constexpr size_t kInChunk = 16;
  using Chunk = std::array<Item, kInChunk>;

  size_t size_ = 0;
  std::vector<std::shared_ptr<Chunk>> chunks_;  // the last one's rest is of no meaning
};

}  // namespace placecheck::dataflow
