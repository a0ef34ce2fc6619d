#include "analyzer/cache/file_facts.h"

#include <sys/stat.h>

#include "analyzer/files/regular_file.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

namespace placecheck::cache {

namespace fs = llvm::sys::fs;

namespace {

int64_t nanoseconds(const struct timespec& time) {
  return static_cast<int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

const std::string* FileFacts::text_of(llvm::StringRef path) const {
  if (!texts_ || texts_->empty()) return nullptr;
  llvm::SmallString<256> plain(path);
  llvm::sys::path::remove_dots(plain, /*remove_dot_dot=*/true);
  const auto text = texts_->find(std::string(plain));
  return text == texts_->end() ? nullptr : &text->second;
}

const FileFacts::Facts& FileFacts::facts(llvm::StringRef path) {
  auto [entry, is_new] = facts_.try_emplace(path);
  if (!is_new) return entry->second;
  Facts& facts = entry->second;
  if (text_of(path)) {
    facts.exists = true;
    return facts;
  }
  struct stat status;
  if (::stat(entry->first().data(), &status) != 0) return facts;
  if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) return facts;
  facts.exists = true;
  facts.is_folder = S_ISDIR(status.st_mode);
  facts.stamp = Stamp{static_cast<uint64_t>(status.st_size), nanoseconds(status.st_mtim),
                      nanoseconds(status.st_ctim)};
  return facts;
}

bool FileFacts::matches(llvm::StringRef path, const Stamp& stamp) {
  Stamp times = stamp;
  times.content = 0;
  if (this->stamp(path) != times) return false;
  return stamp.content == 0 || digest(path) == stamp.content;
}

std::optional<Stamp> FileFacts::stamp(llvm::StringRef path) {
  std::lock_guard lock(mutex_);
  return facts(path).stamp;
}

bool FileFacts::exists(llvm::StringRef path) {
  std::lock_guard lock(mutex_);
  return facts(path).exists;
}

bool FileFacts::is_file(llvm::StringRef path) {
  std::lock_guard lock(mutex_);
  const Facts& known = facts(path);
  return known.exists && !known.is_folder;
}

std::optional<uint64_t> FileFacts::digest(llvm::StringRef path) {
  std::lock_guard lock(mutex_);
  auto [entry, is_new] = digests_.try_emplace(path);
  if (!is_new) return entry->second;
  if (const std::string* text = text_of(path))
    entry->second = llvm::xxh3_64bits(llvm::StringRef(*text));
  else if (auto file = files::read_regular_file(path, files::kMaxSource))
    entry->second = llvm::xxh3_64bits((*file)->getBuffer());
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
