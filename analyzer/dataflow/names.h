// Interned strings: field names, symbol keys, paths. A Name is an index that is equal exactly when
// the text is; 0 is the empty text. One table per analysis, used by one thread.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace placecheck::dataflow {

using Name = uint32_t;

class Names {
 public:
  Names() { intern(""); }
  Names(const Names&) = delete;
  Names& operator=(const Names&) = delete;

  Name intern(std::string_view text) {
    auto found = index_.find(text);
    if (found != index_.end()) return found->second;
    texts_.emplace_back(text);
    Name name = static_cast<Name>(texts_.size() - 1);
    index_.emplace(texts_.back(), name);
    return name;
  }
  const std::string& text(Name name) const { return texts_[name]; }

 private:
  std::deque<std::string> texts_;  // stable addresses for the keys of index_
  std::unordered_map<std::string_view, Name> index_;
};

}  // namespace placecheck::dataflow
