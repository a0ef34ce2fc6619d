#include "analyzer/files/snapshot.h"

#include <optional>

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"

namespace placecheck::files {
namespace {

using llvm::vfs::File;
using llvm::vfs::Status;

// The bytes of one file and what the system said of it then.
struct Content {
  std::error_code error;
  std::unique_ptr<llvm::MemoryBuffer> bytes;
  std::optional<Status> status;
};

class SnapshotFile : public File {
 public:
  SnapshotFile(const Content& content, const llvm::Twine& name)
      : content_(content), name_(name.str()) {}

  llvm::ErrorOr<Status> status() override {
    return Status::copyWithNewName(*content_.status, name_);
  }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine& name, int64_t,
                                                               bool, bool) override {
    return llvm::MemoryBuffer::getMemBuffer(content_.bytes->getBuffer(), name.str());
  }
  std::error_code close() override { return {}; }

 private:
  const Content& content_;
  std::string name_;
};

class Snapshot : public llvm::vfs::ProxyFileSystem {
 public:
  explicit Snapshot(ReadObserver* observer)
      : ProxyFileSystem(llvm::vfs::createPhysicalFileSystem()), observer_(observer) {}

  llvm::ErrorOr<Status> status(const llvm::Twine& path) override {
    std::string name = absolute(path);
    auto found = ProxyFileSystem::status(name);
    if (!found) {
      say_absent(name);
      return found;
    }
    if (found->isDirectory()) return Status::copyWithNewName(*found, path);
    const Content& content = read(name);
    if (content.status) return Status::copyWithNewName(*content.status, path);
    // What is only too large is there all the same.
    if (content.error == std::errc::file_too_large) return Status::copyWithNewName(*found, path);
    return content.error;
  }

  bool exists(const llvm::Twine& path) override {
    std::string name = absolute(path);
    auto found = ProxyFileSystem::status(name);
    bool is_there = found && (found->isDirectory() || found->isRegularFile());
    if (!is_there) say_absent(name);
    return is_there;
  }

  llvm::ErrorOr<std::unique_ptr<File>> openFileForRead(const llvm::Twine& path) override {
    const Content& content = read(absolute(path));
    if (!content.status) return content.error;
    return std::unique_ptr<File>(new SnapshotFile(content, path));
  }

  llvm::vfs::directory_iterator dir_begin(const llvm::Twine& folder,
                                          std::error_code& error) override {
    std::string name = absolute(folder);
    auto begin = ProxyFileSystem::dir_begin(folder, error);
    if (error) {
      say_absent(name);
    } else if (observer_) {
      observer_->on_listed(name);
    }
    return begin;
  }

 private:
  std::string absolute(const llvm::Twine& path) const {
    llvm::SmallString<256> name;
    path.toVector(name);
    (void)makeAbsolute(name);
    return std::string(name);
  }

  void say_absent(llvm::StringRef name) {
    if (observer_) observer_->on_absent(name);
  }

  const Content& read(const std::string& name) {
    auto [entry, is_new] = contents_.try_emplace(name);
    Content& content = entry->second;
    if (!is_new) return content;
    FileTimes times;
    auto bytes = read_regular_file(name, kMaxSource, &times);
    auto found = bytes ? ProxyFileSystem::status(name) : llvm::ErrorOr<Status>(bytes.getError());
    if (!found) {
      bool is_special = found.getError() == std::errc::not_supported;
      content.error = is_special ? std::make_error_code(std::errc::no_such_file_or_directory)
                                 : found.getError();
      say_absent(name);
      return content;
    }
    content.bytes = std::move(*bytes);
    if (observer_) observer_->on_read(name, content.bytes->getBuffer(), times);
    content.status = Status(name, found->getUniqueID(),
                            llvm::sys::TimePoint<>(std::chrono::nanoseconds(times.modified)),
                            found->getUser(), found->getGroup(), content.bytes->getBufferSize(),
                            found->getType(), found->getPermissions());
    return content;
  }

  ReadObserver* observer_;
  llvm::StringMap<Content> contents_;  // by absolute path; entries stay where they are
};

}  // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> make_snapshot(ReadObserver* observer) {
  return llvm::makeIntrusiveRefCnt<Snapshot>(observer);
}

}  // namespace placecheck::files
