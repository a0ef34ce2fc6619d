// Every file of one project that an #include could mean, found once and asked by path suffix.
//
// Ownership: owns its paths. Threads: immutable once built, so const use is safe from anywhere.
// Errors: none; unreadable folders are left out, and complete() says when a limit was reached.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

namespace placecheck::frontend {

class HeaderIndex {
 public:
  HeaderIndex() = default;  // of nothing
  explicit HeaderIndex(std::string root);

  // The absolute paths that end in `include`, a relative path without "." and "..".
  std::vector<llvm::StringRef> ending_in(llvm::StringRef include) const;

  // The one of ending_in() nearest to `folder`, counted in steps through the tree; "" for none.
  // Copies of libtorch are passed over where `skip_torch` says so.
  llvm::StringRef nearest(llvm::StringRef include, llvm::StringRef folder, bool skip_torch) const;

  bool complete() const { return complete_; }

 private:
  void add_folder(const std::string& folder, std::vector<std::string>& next);

  std::string root_;
  llvm::StringMap<std::vector<std::string>> by_name_;  // file name to absolute paths, sorted
  size_t count_ = 0;
  bool complete_ = true;
};

}  // namespace placecheck::frontend
