#include "analyzer/cache/file_log.h"

#include <chrono>

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

namespace placecheck::cache {
namespace {

using llvm::vfs::File;
using llvm::vfs::FileSystem;
using llvm::vfs::Status;

Stamp stamp_of(const Status& status) {
  return {status.getSize(), std::chrono::duration_cast<std::chrono::nanoseconds>(
                                status.getLastModificationTime().time_since_epoch())
                                .count()};
}

class LoggedFile : public File {
 public:
  LoggedFile(std::unique_ptr<File> file, FileLog::Read& entry)
      : file_(std::move(file)), entry_(entry) {}

  llvm::ErrorOr<Status> status() override { return file_->status(); }
  llvm::ErrorOr<std::string> getName() override { return file_->getName(); }
  std::error_code close() override { return file_->close(); }

  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine& name,
                                                               int64_t size,
                                                               bool requires_null_terminator,
                                                               bool is_volatile) override {
    auto buffer = file_->getBuffer(name, size, requires_null_terminator, is_volatile);
    if (buffer) entry_.digest = llvm::xxh3_64bits((*buffer)->getBuffer());
    return buffer;
  }

 private:
  std::unique_ptr<File> file_;
  FileLog::Read& entry_;
};

class LoggedFileSystem : public llvm::vfs::ProxyFileSystem {
 public:
  LoggedFileSystem(llvm::IntrusiveRefCntPtr<FileSystem> base, FileLog& log)
      : ProxyFileSystem(std::move(base)), log_(log) {}

  llvm::ErrorOr<Status> status(const llvm::Twine& path) override {
    auto status = ProxyFileSystem::status(path);
    if (!status) log_.absent.insert(absolute(path));
    return status;
  }

  bool exists(const llvm::Twine& path) override {
    bool is_there = ProxyFileSystem::exists(path);
    if (!is_there) log_.absent.insert(absolute(path));
    return is_there;
  }

  llvm::ErrorOr<std::unique_ptr<File>> openFileForRead(const llvm::Twine& path) override {
    auto file = ProxyFileSystem::openFileForRead(path);
    if (!file) {
      log_.absent.insert(absolute(path));
      return file;
    }
    auto [entry, is_new] = log_.read.try_emplace(absolute(path));
    if (is_new) {
      if (auto status = (*file)->status()) entry->second.stamp = stamp_of(*status);
    }
    return std::unique_ptr<File>(new LoggedFile(std::move(*file), entry->second));
  }

 private:
  std::string absolute(const llvm::Twine& path) const {
    llvm::SmallString<256> result;
    path.toVector(result);
    (void)makeAbsolute(result);
    return std::string(result);
  }

  FileLog& log_;
};

}  // namespace

llvm::IntrusiveRefCntPtr<FileSystem> logged(llvm::IntrusiveRefCntPtr<FileSystem> base,
                                            FileLog& log) {
  return llvm::makeIntrusiveRefCnt<LoggedFileSystem>(std::move(base), log);
}

}  // namespace placecheck::cache
