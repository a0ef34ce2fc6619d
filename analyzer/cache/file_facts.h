// What the disk says about files now, asked once for each path in a run.
//
// Threads: any may ask. Errors: none; what cannot be read is absent. The answers are those of the
// first question: an object lives for one run.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

namespace placecheck::cache {

struct Stamp {
  uint64_t size = 0;
  int64_t modified = 0;  // nanoseconds
  int64_t changed = 0;   // the same; no program can set it back
  // Of a file that changed a moment before it was read: within the clock's grain another change
  // would leave the times as they are. 0 where the times suffice.
  uint64_t content = 0;

  bool operator==(const Stamp&) const = default;
};

// Texts that stand for what is on disk, by absolute path.
using Texts = std::map<std::string, std::string>;

class FileFacts {
 public:
  FileFacts() = default;
  // Of the disk with `texts`, if any, which outlive this, laid over it.
  explicit FileFacts(const Texts* texts) : texts_(texts) {}

  // A file that a text stands for has none.
  std::optional<Stamp> stamp(llvm::StringRef path);
  // Whether the file is what it was when `stamp` was taken.
  bool matches(llvm::StringRef path, const Stamp& stamp);
  // Of regular files and folders; nothing else is ever read.
  bool exists(llvm::StringRef path);
  // Of regular files alone.
  bool is_file(llvm::StringRef path);
  // Of the contents; none if it cannot be read.
  std::optional<uint64_t> digest(llvm::StringRef path);
  // The names in a folder; empty if there is none. Lives as long as this.
  const llvm::StringSet<>& names_in(llvm::StringRef folder);

 private:
  struct Facts {
    bool exists = false;
    bool is_folder = false;
    std::optional<Stamp> stamp;
  };

  const Facts& facts(llvm::StringRef path);
  const std::string* text_of(llvm::StringRef path) const;

  const Texts* texts_ = nullptr;
  std::mutex mutex_;
  llvm::StringMap<Facts> facts_;
  llvm::StringMap<std::optional<uint64_t>> digests_;
  llvm::StringMap<llvm::StringSet<>> folders_;
};

}  // namespace placecheck::cache
