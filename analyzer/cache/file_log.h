// A file system that writes down what was read through it, and what was looked for in vain.
//
// Digests are of the very bytes that the reader was given, so that a file that changes meanwhile
// is noticed later. Ownership: the log is the caller's and outlives the file system.
// Threads: one. Errors: those of the file system below.
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
    uint64_t digest = 0;
  };

  std::map<std::string, Read> read;  // by absolute path
  std::set<std::string> absent;
};

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> logged(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> base, FileLog& log);

}  // namespace placecheck::cache
