// The two ends of serialized units: numbers of variable length over a table of strings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analyzer/ir/ir.h"
#include "analyzer/ir/opcode_table.h"

namespace placecheck::ir {

class ArchiveWriter {
 public:
  static constexpr bool kReads = false;

  void number(uint64_t value) {
    for (; value >= 0x80; value >>= 7) body_ += static_cast<char>(value | 0x80);
    body_ += static_cast<char>(value);
  }
  void text(const std::string& value) {
    auto [entry, is_new] = numbers_.emplace(value, strings_.size());
    if (is_new) strings_.push_back(value);
    number(entry->second);
  }
  template <typename Enum>
  void choice(Enum value, size_t) {
    number(static_cast<uint64_t>(value));
  }
  template <typename Item>
  size_t size(const std::vector<Item>& items) {
    number(items.size());
    return items.size();
  }
  bool nest() { return true; }
  void unnest() {}

  std::string finish();

 private:
  std::string body_;
  std::unordered_map<std::string_view, uint64_t> numbers_;
  std::vector<std::string_view> strings_;
};

class ArchiveReader {
 public:
  static constexpr bool kReads = true;

  explicit ArchiveReader(std::string_view bytes) : bytes_(bytes) {}

  // After an error every number is zero and every list empty, so that reading soon ends.
  template <typename Number>
  void number(Number& value) {
    uint64_t read = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      auto byte = static_cast<unsigned char>(next_byte());
      if (shift == 63 && byte > 1) return fail("a number too large");
      read |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) break;
    }
    if (failed()) return;
    value = static_cast<Number>(read);
    if (static_cast<uint64_t>(value) != read) fail("a number too large");
  }
  void text(std::string& value) {
    uint64_t index = 0;
    number(index);
    if (failed()) return;
    if (index >= strings_.size()) return fail("a string that is not in the table");
    value = strings_[index];
  }
  template <typename Enum>
  void choice(Enum& value, size_t count) {
    uint64_t read = 0;
    number(read);
    if (read >= count) return fail("an unknown enumerator");
    value = static_cast<Enum>(read);
  }
  // Items take a byte or more each, so a count beyond the rest of the bytes is a lie.
  template <typename Item>
  size_t size(std::vector<Item>&) {
    uint64_t count = 0;
    number(count);
    if (count > bytes_.size() - position_) fail("a list longer than the data");
    return failed() ? 0 : static_cast<size_t>(count);
  }
  bool nest() {
    if (++depth_ > kMaxTypeDepth) fail("types nested too deeply");
    return !failed();
  }
  void unnest() { --depth_; }

  void header();
  void end() {
    if (!failed() && position_ != bytes_.size()) fail("bytes after the end");
  }
  bool failed() const { return !error_.empty(); }
  std::string take_error() { return std::move(error_); }

 private:
  void fail(std::string_view what) {
    if (failed()) return;
    error_ = "byte " + std::to_string(position_) + ": " + std::string(what);
  }
  char next_byte() {
    if (failed()) return 0;
    if (position_ < bytes_.size()) return bytes_[position_++];
    fail("the data ends too early");
    return 0;
  }
  std::string_view take(uint64_t count) {
    if (count > bytes_.size() - position_) fail("the data ends too early");
    if (failed()) return {};
    position_ += count;
    return bytes_.substr(position_ - count, count);
  }

  std::string_view bytes_;
  size_t position_ = 0;
  uint32_t depth_ = 0;
  std::vector<std::string_view> strings_;
  std::string error_;
};

}  // namespace placecheck::ir
