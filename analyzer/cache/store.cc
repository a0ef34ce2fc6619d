#include "analyzer/cache/store.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <vector>

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

namespace placecheck::cache {
namespace {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

using Clock = std::chrono::system_clock;

constexpr char kMagic[8] = {'p', 'l', 'a', 'c', 'e', 'c', 'h', 'k'};
constexpr auto kLockPatience = std::chrono::seconds(120);
constexpr auto kUsedRecently = std::chrono::minutes(10);  // not worth another write to the disk
constexpr auto kAbandoned = std::chrono::hours(1);

// Stands behind the bytes, so that these start where a mapping does.
struct Footer {
  char magic[8];
  uint64_t size;
  uint64_t name;  // of the kind and key: a file moved elsewhere is not an entry
  uint64_t checksum;
};

uint64_t name_hash(llvm::StringRef kind, llvm::StringRef key) {
  return llvm::xxh3_64bits((kind + "/" + key).str());
}

std::string joined(llvm::StringRef folder, llvm::StringRef name) {
  llvm::SmallString<256> result(folder);
  path::append(result, name);
  return std::string(result);
}

bool others_may_write(const struct stat& status) {
  return (status.st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

bool is_ours(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
         !others_may_write(status);
}

// Makes the folder if it is not there; false if it cannot hold a store. `refusal` says why one
// that could be written is not trusted.
bool make_own_folder(const std::string& folder, std::string& refusal) {
  if (fs::create_directories(folder, /*IgnoreExisting=*/true, fs::owner_all)) return false;
  struct stat status;
  if (stat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) return false;
  if (status.st_uid != geteuid())
    refusal = "it belongs to another user";
  else if (others_may_write(status))
    refusal = "other users may write to it";
  return refusal.empty() && access(folder.c_str(), W_OK | X_OK) == 0;
}

// Never waits for the other end of a FIFO, and follows no link; -1: there is no such file.
int open_plain(const std::string& file, int flags) {
  return ::open(file.c_str(), flags | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
}

// Entries are never written in place, so that a mapping of one stays what it is.
std::unique_ptr<llvm::MemoryBuffer> open_own(const std::string& file) {
  int descriptor = open_plain(file, O_RDONLY);
  if (descriptor < 0) return nullptr;
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  fs::file_status status;
  if (is_ours(descriptor) && !fs::status(descriptor, status)) {
    auto read = llvm::MemoryBuffer::getOpenFile(descriptor, file, status.getSize(),
                                                /*RequiresNullTerminator=*/false);
    if (read) buffer = std::move(*read);
    auto now = Clock::now();
    if (now - status.getLastModificationTime() > kUsedRecently)
      (void)fs::setLastAccessAndModificationTime(descriptor, now);
  }
  ::close(descriptor);
  return buffer;
}

struct Found {
  std::string path;
  uint64_t size;
  llvm::sys::TimePoint<> used;
};

// All files below `root`; temporary ones that nobody writes any more are removed on the way.
std::vector<Found> all_files(const std::string& root) {
  std::vector<Found> found;
  std::error_code error;
  for (fs::recursive_directory_iterator at(root, error, /*follow_symlinks=*/false), end;
       at != end && !error; at.increment(error)) {
    auto status = at->status();
    if (!status || status->type() != fs::file_type::regular_file) continue;
    bool is_temporary = path::filename(at->path()).starts_with("tmp-");
    if (is_temporary) {
      if (Clock::now() - status->getLastModificationTime() > kAbandoned)
        (void)fs::remove(at->path());
      continue;
    }
    if (path::filename(path::parent_path(at->path())) == "locks") continue;
    found.push_back({at->path(), status->getSize(), status->getLastModificationTime()});
  }
  return found;
}

}  // namespace

std::string digest(llvm::StringRef bytes) {
  llvm::BLAKE3 hasher;
  hasher.update(bytes);
  return llvm::toHex(hasher.final<20>(), /*LowerCase=*/true);
}

Lock::~Lock() {
  if (descriptor_ < 0) return;
  (void)fs::unlockFile(descriptor_);
  ::close(descriptor_);
}

Store::Store(std::string folder, llvm::StringRef version, uint64_t max_bytes)
    : root_(std::move(folder)), max_bytes_(max_bytes) {
  if (root_.empty()) return;
  folder_ = joined(root_, digest(version).substr(0, 16));
  usable_ = make_own_folder(root_, refusal_) && make_own_folder(folder_, refusal_);
}

std::string Store::default_folder() {
  // Service users have homes that do not exist; nobody wants those made.
  if (auto folder = llvm::sys::Process::GetEnv("XDG_CACHE_HOME");
      folder && path::is_absolute(*folder))
    return fs::is_directory(path::parent_path(*folder)) ? joined(*folder, "placecheck") : "";
  llvm::SmallString<256> home;
  if (!path::home_directory(home) || !fs::is_directory(home)) return {};
  path::append(home, ".cache", "placecheck");
  return std::string(home);
}

// Only folders that look like a store's are emptied, should the option name a wrong one.
bool Store::clear(const std::string& folder) {
  std::error_code error;
  bool is_clear = true;
  for (fs::directory_iterator at(folder, error), end; at != end && !error; at.increment(error)) {
    llvm::StringRef name = path::filename(at->path());
    if (name.size() != 16 || !llvm::all_of(name, llvm::isHexDigit)) continue;
    if (fs::remove_directories(at->path(), /*IgnoreErrors=*/false)) is_clear = false;
  }
  return is_clear && (!error || error == std::errc::no_such_file_or_directory);
}

std::string Store::path(llvm::StringRef kind, llvm::StringRef key) const {
  llvm::SmallString<256> result(folder_);
  path::append(result, kind, key.take_front(2), key);
  return std::string(result);
}

std::optional<Entry> Store::read(llvm::StringRef kind, llvm::StringRef key) const {
  if (!usable_) return std::nullopt;
  std::string file = path(kind, key);
  auto buffer = open_own(file);
  if (!buffer) return std::nullopt;
  llvm::StringRef all = buffer->getBuffer();
  Footer footer{};
  bool is_whole = all.size() >= sizeof(Footer);
  if (is_whole) {
    std::memcpy(&footer, all.end() - sizeof(Footer), sizeof(Footer));
    llvm::StringRef bytes = all.drop_back(sizeof(Footer));
    is_whole = std::memcmp(footer.magic, kMagic, sizeof(kMagic)) == 0 &&
               footer.size == bytes.size() && footer.name == name_hash(kind, key) &&
               footer.checksum == llvm::xxh3_64bits(bytes);
  }
  if (!is_whole) {
    (void)fs::remove(file);
    return std::nullopt;
  }
  llvm::StringRef bytes = all.drop_back(sizeof(Footer));
  return Entry(std::move(buffer), bytes);
}

// Written beside its place and then renamed: a reader sees all of it or nothing.
bool Store::write(llvm::StringRef kind, llvm::StringRef key, llvm::StringRef bytes) {
  if (!usable_) return false;
  has_written_ = true;
  std::string file = path(kind, key);
  std::string folder = path::parent_path(file).str();
  if (fs::create_directories(folder, /*IgnoreExisting=*/true, fs::owner_all)) return false;
  llvm::SmallString<256> temporary;
  int descriptor = -1;
  if (fs::createUniqueFile(joined(folder, "tmp-%%%%%%%%"), descriptor, temporary, fs::OF_None,
                           fs::owner_read | fs::owner_write))
    return false;
  Footer footer{};
  std::memcpy(footer.magic, kMagic, sizeof(kMagic));
  footer.size = bytes.size();
  footer.name = name_hash(kind, key);
  footer.checksum = llvm::xxh3_64bits(bytes);
  bool is_written;
  {
    llvm::raw_fd_ostream out(descriptor, /*shouldClose=*/true);
    out << bytes << llvm::StringRef(reinterpret_cast<const char*>(&footer), sizeof(footer));
    out.close();
    is_written = !out.has_error();
    out.clear_error();  // an unchecked error would abort
  }
  if (is_written && !fs::rename(temporary, file)) return true;
  (void)fs::remove(temporary);
  return false;
}

Lock Store::lock(llvm::StringRef key) const {
  if (!usable_) return Lock(-1);
  std::string folder = joined(folder_, "locks");
  if (fs::create_directories(folder, /*IgnoreExisting=*/true, fs::owner_all)) return Lock(-1);
  int descriptor = open_plain(joined(folder, key), O_WRONLY | O_CREAT);
  if (descriptor < 0) return Lock(-1);
  if (!fs::tryLockFile(descriptor, kLockPatience)) return Lock(descriptor);
  ::close(descriptor);
  return Lock(-1);
}

void Store::trim() {
  if (!usable_) return;
  std::vector<Found> found = all_files(root_);
  uint64_t total = 0;
  for (const Found& each : found) total += each.size;
  if (total <= max_bytes_) return;
  std::sort(found.begin(), found.end(),
            [](const Found& a, const Found& b) { return a.used < b.used; });
  // Below the bound by a margin, so that not every run has something to evict.
  const uint64_t wanted = max_bytes_ - max_bytes_ / 8;
  for (const Found& each : found) {
    if (total <= wanted) return;
    if (!fs::remove(each.path)) total -= each.size;
  }
}

}  // namespace placecheck::cache
