#include "analyzer/cache/file_log.h"

#include <chrono>

#include "analyzer/files/snapshot.h"
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

}  // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> logged_snapshot(FileLog& log) {
  return llvm::makeIntrusiveRefCnt<LoggedSnapshot>(log);
}

}  // namespace placecheck::cache
