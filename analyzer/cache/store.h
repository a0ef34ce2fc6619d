// A folder of checked entries that outlives the process: small files under KIND/KEY, each with a
// checksum of its bytes.
//
// Ownership: an Entry owns its bytes; it stays readable when the file is evicted or replaced.
// Threads: all members may be called by several threads, and by several processes on one folder.
// Errors: none that a caller must handle. What cannot be read, is damaged, or belongs to another
// user or version is absent; what cannot be written is not kept.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"

namespace placecheck::cache {

inline constexpr uint64_t kDefaultMaxBytes = uint64_t{4} << 30;

class Entry {
 public:
  Entry(std::unique_ptr<llvm::MemoryBuffer> file, llvm::StringRef bytes)
      : file_(std::move(file)), bytes_(bytes) {}

  llvm::StringRef bytes() const { return bytes_; }

 private:
  std::unique_ptr<llvm::MemoryBuffer> file_;
  llvm::StringRef bytes_;
};

// Held until destroyed; a process that dies lets go of it.
class Lock {
 public:
  explicit Lock(int descriptor) : descriptor_(descriptor) {}
  Lock(Lock&& other) noexcept : descriptor_(other.descriptor_) { other.descriptor_ = -1; }
  Lock& operator=(Lock&&) = delete;
  ~Lock();

 private:
  int descriptor_;
};

class Store {
 public:
  // `version` names all that decides what entries mean: entries of another one are never read.
  Store(std::string folder, llvm::StringRef version, uint64_t max_bytes = kDefaultMaxBytes);

  // $XDG_CACHE_HOME/placecheck, ~/.cache/placecheck, or empty where there is no such home.
  static std::string default_folder();
  // Removes all entries of all versions; false if something is left.
  static bool clear(const std::string& folder);

  // Whether the folder is there, ours alone, and can be written.
  bool usable() const { return usable_; }
  // Why a folder that is there is not trusted, as it follows a colon; else empty.
  const std::string& refusal() const { return refusal_; }

  // Reading makes an entry the last to be evicted.
  std::optional<Entry> read(llvm::StringRef kind, llvm::StringRef key) const;
  bool write(llvm::StringRef kind, llvm::StringRef key, llvm::StringRef bytes);

  // Waits, with a bound, for others that hold it; goes on without the lock after that.
  Lock lock(llvm::StringRef key) const;

  bool has_written() const { return has_written_; }

  // Evicts what was not used for longest until the folder is within its bound.
  void trim();

 private:
  std::string path(llvm::StringRef kind, llvm::StringRef key) const;

  std::string root_;    // holds every version
  std::string folder_;  // of this version
  uint64_t max_bytes_;
  std::string refusal_;
  bool usable_ = false;
  std::atomic<bool> has_written_ = false;
};

// A name for `bytes`, safe in a path.
std::string digest(llvm::StringRef bytes);

}  // namespace placecheck::cache
