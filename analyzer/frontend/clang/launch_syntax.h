// What nvcc takes between `<<<` and `>>>` and Clang does not: a braced list for a dim3, and angle
// brackets with spaces between them. Written as Clang takes it, with every character at its place.
//
// Stateless; any thread may call.
#pragma once

#include <optional>
#include <string>

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace placecheck::frontend {

// The text for Clang, of the same length; nothing where it may stay as it is.
std::optional<std::string> with_plain_launches(llvm::StringRef text);

// A view of `base` in which CUDA sources read so.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> with_plain_launches(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> base);

}  // namespace placecheck::frontend
