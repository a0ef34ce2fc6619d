#include "analyzer/cache/file_facts.h"

#include <chrono>

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

namespace placecheck::cache {

namespace fs = llvm::sys::fs;

const FileFacts::Facts& FileFacts::facts(llvm::StringRef path) {
  auto [entry, is_new] = facts_.try_emplace(path);
  if (!is_new) return entry->second;
  Facts& facts = entry->second;
  fs::file_status status;
  if (fs::status(path, status)) return facts;
  facts.exists = true;
  facts.stamp = Stamp{status.getSize(), std::chrono::duration_cast<std::chrono::nanoseconds>(
                                            status.getLastModificationTime().time_since_epoch())
                                            .count()};
  return facts;
}

std::optional<Stamp> FileFacts::stamp(llvm::StringRef path) {
  std::lock_guard lock(mutex_);
  return facts(path).stamp;
}

bool FileFacts::exists(llvm::StringRef path) {
  std::lock_guard lock(mutex_);
  return facts(path).exists;
}

std::optional<uint64_t> FileFacts::digest(llvm::StringRef path) {
  std::lock_guard lock(mutex_);
  auto [entry, is_new] = digests_.try_emplace(path);
  if (is_new) {
    if (auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                                /*RequiresNullTerminator=*/false))
      entry->second = llvm::xxh3_64bits((*file)->getBuffer());
  }
  return entry->second;
}

const llvm::StringSet<>& FileFacts::names_in(llvm::StringRef folder) {
  std::lock_guard lock(mutex_);
  auto [entry, is_new] = folders_.try_emplace(folder);
  if (is_new) {
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; at != end && !error; at.increment(error))
      entry->second.insert(llvm::sys::path::filename(at->path()));
  }
  return entry->second;
}

}  // namespace placecheck::cache
