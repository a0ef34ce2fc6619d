// The values of an activation's variables.
//
// One state of each block is kept, and most blocks change few variables: states share the others,
// in chunks, so that a function with many blocks and many variables needs no table of both.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <ranges>
#include <utility>
#include <vector>

#include "analyzer/dataflow/value.h"

namespace placecheck::dataflow {

class Slots {
 public:
  Slots() = default;
  Slots(const Slots&) = default;
  // What was moved from has no variables.
  Slots(Slots&& other) noexcept
      : size_(std::exchange(other.size_, 0)), chunks_(std::move(other.chunks_)) {}
  Slots& operator=(Slots other) noexcept {
    std::swap(size_, other.size_);
    chunks_.swap(other.chunks_);
    return *this;
  }

  size_t size() const { return size_; }
  // About as many as a copy of which one variable is changed takes for itself.
  size_t bytes_of_copy() const { return chunks_.size() * sizeof(chunks_[0]) + sizeof(Chunk); }
  const Value& operator[](size_t slot) const {
    return (*chunks_[slot / kInChunk])[slot % kInChunk];
  }
  auto values() const {
    return std::views::iota(size_t{0}, size_) |
           std::views::transform([this](size_t slot) -> const Value& { return (*this)[slot]; });
  }

  // Makes it `count` copies of one value.
  void assign(size_t count, const Value& value);
  void clear() { assign(0, Value()); }
  void set(size_t slot, const Value& value);
  template <class Predicate>
  void replace_if(Predicate matches, const Value& value) {
    for (size_t slot = 0; slot < size_; ++slot)
      if (matches((*this)[slot])) set(slot, value);
  }

  // `equal` has to hold between a value and itself.
  template <class Equal>
  static bool are_equal(const Slots& a, const Slots& b, Equal equal) {
    if (a.size_ != b.size_) return false;
    for (size_t c = 0; c < a.chunks_.size(); ++c) {
      if (a.chunks_[c] != b.chunks_[c] && !std::ranges::equal(*a.chunks_[c], *b.chunks_[c], equal))
        return false;
    }
    return true;
  }

 private:
  static constexpr size_t kInChunk = 16;
  using Chunk = std::array<Value, kInChunk>;

  size_t size_ = 0;
  std::vector<std::shared_ptr<Chunk>> chunks_;  // the last one's rest is as it was assigned
};

}  // namespace placecheck::dataflow
