// The disk, each file of it read once: whoever reads a file again through the same snapshot gets
// the same bytes, whatever became of the file. Special files (regular_file.h) are not there.
//
// Ownership: a snapshot owns the bytes; the buffers that it hands out point into it. Threads: one.
// Errors: those of the disk; a file above kMaxSource cannot be opened.
#pragma once

#include "analyzer/files/regular_file.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace placecheck::files {

// Told what a snapshot takes from the disk; paths are absolute.
class ReadObserver {
 public:
  virtual ~ReadObserver() = default;
  virtual void on_read(llvm::StringRef path, llvm::StringRef bytes, const FileTimes& times) = 0;
  virtual void on_absent(llvm::StringRef path) = 0;
  virtual void on_listed(llvm::StringRef folder) = 0;
};

// `observer`, if any, outlives the snapshot.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> make_snapshot(ReadObserver* observer = nullptr);

}  // namespace placecheck::files
