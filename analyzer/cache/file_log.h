// What a parse took from the disk: the files that it read, the folders that it listed, and what it
// looked for in vain.
//
// Digests are of the very bytes that the reader was given. Ownership: the log is the caller's and
// outlives the file system. Threads: one. Errors: those of the disk.
#pragma once

#include <map>
#include <set>
#include <string>

#include "analyzer/cache/file_facts.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace placecheck::cache {

struct FileLog {
  struct Read {
    Stamp stamp;
    uint64_t digest = 0;  // 0 of a folder
  };

  std::map<std::string, Read> read;  // by absolute path
  std::set<std::string> absent;
  bool has_texts = false;  // some of what was read is not what is on disk
};

using FileSystemPtr = llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>;

// A snapshot of the disk (files/snapshot.h) that writes into `log`.
FileSystemPtr logged_snapshot(FileLog& log);

// `disk` with `texts` laid over it, which writes what is read of them into `log`.
FileSystemPtr with_texts(const Texts& texts, FileSystemPtr disk, FileLog& log);

}  // namespace placecheck::cache
