// A file system in which the files of one folder have the paths by which they are named: where a
// build system runs its actions, every file is a link to somewhere else.
//
// Ownership: as of the file system that is given. Threads: one. Errors: those of that file system.
#pragma once

#include <string>

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace placecheck::files {

// `base`, but the real path of what is below `root`, which is absolute, is its own, without "." and
// "..".
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> with_plain_paths(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> base, std::string root);

}  // namespace placecheck::files
