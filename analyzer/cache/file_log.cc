#include "analyzer/cache/file_log.h"

#include <chrono>

#include "analyzer/files/snapshot.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

namespace placecheck::cache {
namespace {

using Clock = std::chrono::system_clock;

// The coarsest clock of a file system in use.
constexpr std::chrono::nanoseconds kGrain = std::chrono::seconds(2);

int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch())
      .count();
}

// Owns the snapshot's observer, which must live as long as the snapshot does.
class LoggedSnapshot : public files::ReadObserver, public llvm::vfs::ProxyFileSystem {
 public:
  explicit LoggedSnapshot(FileLog& log) : ProxyFileSystem(files::make_snapshot(this)), log_(log) {}

  void on_read(llvm::StringRef path, llvm::StringRef bytes,
               const files::FileTimes& times) override {
    uint64_t digest = llvm::xxh3_64bits(bytes);
    bool is_fresh = times.changed > begun_ - kGrain.count();
    Stamp stamp{bytes.size(), times.modified, times.changed, is_fresh ? digest : 0};
    log_.read[path.str()] = {stamp, digest};
  }

  void on_absent(llvm::StringRef path) override { log_.absent.insert(path.str()); }

  void on_listed(llvm::StringRef folder) override {
    if (auto stamp = FileFacts().stamp(folder)) log_.read[folder.str()] = {*stamp, 0};
  }

 private:
  FileLog& log_;
  int64_t begun_ = now();
};

// Texts that no disk has: without a stamp, they are told by their digests alone.
class LoggedTexts : public llvm::vfs::ProxyFileSystem {
 public:
  LoggedTexts(FileSystemPtr texts, FileLog& log) : ProxyFileSystem(std::move(texts)), log_(log) {}

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(
      const llvm::Twine& path) override {
    auto file = ProxyFileSystem::openFileForRead(path);
    if (!file) return file;
    if (auto buffer = getUnderlyingFS().getBufferForFile(path)) {
      llvm::SmallString<256> name;
      path.toVector(name);
      (void)makeAbsolute(name);
      log_.read[std::string(name)] = {{}, llvm::xxh3_64bits((*buffer)->getBuffer())};
      log_.has_texts = true;
    }
    return file;
  }

 private:
  FileLog& log_;
};

}  // namespace

FileSystemPtr logged_snapshot(FileLog& log) {
  return llvm::makeIntrusiveRefCnt<LoggedSnapshot>(log);
}

FileSystemPtr with_texts(const Texts& texts, FileSystemPtr disk, FileLog& log) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const auto& [path, text] : texts)
    memory->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(text, path));
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(std::move(disk));
  overlay->pushOverlay(llvm::makeIntrusiveRefCnt<LoggedTexts>(std::move(memory), log));
  return overlay;
}

}  // namespace placecheck::cache
