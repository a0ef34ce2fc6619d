// Values behind one another in bytes, for entries of the store.
//
// Ownership: a writer owns its bytes, a reader none. Threads: one each. Errors: a reader that runs
// out of bytes yields empty values, and ok() says so.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "llvm/ADT/StringRef.h"

namespace placecheck::cache {

class FieldWriter {
 public:
  void number(uint64_t value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  void text(llvm::StringRef value) {
    number(value.size());
    bytes_.append(value.data(), value.size());
  }
  template <class List>
  void texts(const List& list) {
    number(list.size());
    for (const auto& each : list) text(each);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class FieldReader {
 public:
  explicit FieldReader(llvm::StringRef bytes) : rest_(bytes) {}

  uint64_t number() {
    uint64_t value = 0;
    llvm::StringRef bytes = take(sizeof(value));
    if (ok_) std::memcpy(&value, bytes.data(), sizeof(value));
    return value;
  }
  llvm::StringRef text() {
    uint64_t size = number();
    return take(size);
  }
  template <class List>
  void texts(List& list) {
    for (uint64_t count = number(); ok_ && count > 0; --count)
      list.insert(list.end(), text().str());
  }
  bool ok() const { return ok_; }

 private:
  llvm::StringRef take(uint64_t size) {
    if (size > rest_.size()) ok_ = false;
    if (!ok_) return {};
    llvm::StringRef taken = rest_.take_front(size);
    rest_ = rest_.drop_front(size);
    return taken;
  }

  llvm::StringRef rest_;
  bool ok_ = true;
};

}  // namespace placecheck::cache
