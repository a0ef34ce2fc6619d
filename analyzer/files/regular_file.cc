#include "analyzer/files/regular_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"

namespace placecheck::files {
namespace {

using Bytes = llvm::SmallVector<char, 0>;

constexpr int kAttempts = 5;

class Descriptor {
 public:
  // Opening a FIFO that took the file's place meanwhile must not wait for a writer.
  explicit Descriptor(const char* path)
      : value_(::open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  int value() const { return value_; }

 private:
  int value_;
};

std::error_code last_error() { return {errno, std::generic_category()}; }

std::error_code judge(const struct stat& status, uint64_t max_size) {
  if (S_ISDIR(status.st_mode)) return std::make_error_code(std::errc::is_a_directory);
  if (!S_ISREG(status.st_mode)) return std::make_error_code(std::errc::not_supported);
  if (static_cast<uint64_t>(status.st_size) > max_size)
    return std::make_error_code(std::errc::file_too_large);
  return {};
}

std::error_code read_all(int descriptor, uint64_t size, uint64_t max_size, Bytes& bytes) {
  size_t used = 0;
  bytes.resize_for_overwrite(size + 1);  // one more, to see the end without another round
  while (true) {
    ssize_t count = ::read(descriptor, bytes.data() + used, bytes.size() - used);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return last_error();
    if (count == 0) break;
    used += static_cast<size_t>(count);
    if (used > max_size) return std::make_error_code(std::errc::file_too_large);
    if (used == bytes.size()) bytes.resize_for_overwrite(2 * used);
  }
  bytes.truncate(used);
  return {};
}

int64_t nanoseconds(const struct timespec& time) {
  return static_cast<int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

FileTimes times_of(const struct stat& status) {
  return {nanoseconds(status.st_mtim), nanoseconds(status.st_ctim)};
}

bool is_same(const struct stat& a, const struct stat& b) {
  FileTimes before = times_of(a);
  FileTimes after = times_of(b);
  return a.st_size == b.st_size && before.modified == after.modified &&
         before.changed == after.changed;
}

}  // namespace

llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> read_regular_file(const llvm::Twine& path,
                                                                     uint64_t max_size,
                                                                     FileTimes* times) {
  llvm::SmallString<256> storage;
  llvm::StringRef name = path.toNullTerminatedStringRef(storage);
  struct stat before;
  if (::stat(name.data(), &before) != 0) return last_error();
  if (std::error_code error = judge(before, max_size)) return error;
  Descriptor file(name.data());
  if (file.value() < 0) return last_error();
  Bytes bytes;
  // A file that is written while it is read is read again; one that never rests is taken as it is.
  for (int i = 0; i < kAttempts; ++i) {
    struct stat after;
    if (::fstat(file.value(), &before) != 0) return last_error();
    if (std::error_code error = judge(before, max_size)) return error;
    if (::lseek(file.value(), 0, SEEK_SET) != 0) return last_error();
    if (std::error_code error =
            read_all(file.value(), static_cast<uint64_t>(before.st_size), max_size, bytes))
      return error;
    if (::fstat(file.value(), &after) != 0) return last_error();
    if (is_same(before, after)) break;
  }
  if (times) *times = times_of(before);
  return std::make_unique<llvm::SmallVectorMemoryBuffer>(std::move(bytes), name,
                                                         /*RequiresNullTerminator=*/true);
}

bool is_regular_file(const llvm::Twine& path) {
  llvm::SmallString<256> storage;
  struct stat status;
  return ::stat(path.toNullTerminatedStringRef(storage).data(), &status) == 0 &&
         S_ISREG(status.st_mode);
}

bool leads_below(const llvm::Twine& path, const llvm::Twine& folder) {
  llvm::SmallString<256> real;
  llvm::SmallString<256> above;
  if (llvm::sys::fs::real_path(path, real) || llvm::sys::fs::real_path(folder, above)) return false;
  if (above != "/") above += '/';
  return llvm::StringRef(real).starts_with(above);
}

std::string why_unreadable(std::error_code error, uint64_t max_size) {
  if (error == std::errc::not_supported) return "not a regular file";
  if (error == std::errc::file_too_large)
    return "larger than " + std::to_string(max_size >> 20) + " MB";
  return error.message();
}

}  // namespace placecheck::files
