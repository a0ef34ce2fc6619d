// Where a project begins, and which headers are not its own.
//
// The root is the nearest ancestor that a version control or a build system marks, else the
// outermost of the neighbouring folders with a CMakeLists.txt, or what holds the folders that this
// one names above itself, else the folder the user named.
// Ownership: values only. Threads: const use is safe; answers are not cached here.
// Errors: none; an unreadable folder simply marks nothing.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace placecheck::frontend {

class ProjectLayout {
 public:
  // `named` are the absolute paths the user asked for; a file stands for its folder.
  explicit ProjectLayout(const std::vector<std::string>& named);

  // The root of the project of an absolute path. Reads the disk: cache by folder.
  std::string root_of(llvm::StringRef path) const;

  // Whether a header below `root` ("" when below none) is third-party code all the same.
  bool is_vendored(llvm::StringRef path, llvm::StringRef root) const;

 private:
  std::vector<std::string> named_folders_;  // longest first
};

// Whether `path` lies in `folder` or is it.
bool is_below(llvm::StringRef path, llvm::StringRef folder);

// Whether a path is inside a copy of libtorch's headers that lies below `root`.
bool is_torch_copy(llvm::StringRef path, llvm::StringRef root);

// The language standard that the project's build files ask for from `folder` up to `root`:
// 17 at least, since libtorch needs it.
unsigned wanted_standard(llvm::StringRef folder, llvm::StringRef root);

}  // namespace placecheck::frontend
