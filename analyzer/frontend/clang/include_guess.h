// Guesses the include folders of a file from the project's own headers.
//
// Every #include string of the file, and of the project headers it reaches, is looked for where
// the compiler would look; what is nowhere is resolved by path suffix to the project's nearest
// file, and the folder that makes the string true becomes a root. A guess never names a header
// that the system, libtorch or CUDA has.
// Ownership: refers to the SystemPaths given, which must outlive it.
// Threads: all members may be called from many threads; caches are behind one mutex.
// Errors: none; unreadable files include nothing.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "analyzer/discovery/includes.h"
#include "analyzer/frontend/clang/header_index.h"
#include "analyzer/frontend/clang/system_paths.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

namespace placecheck::frontend {

using discovery::Include;
using discovery::scan_includes;

struct Guess {
  std::vector<std::string> roots;     // for -idirafter, in the order found
  std::vector<std::string> includes;  // all names met, sorted: what the file may need
  std::vector<std::string> certain;   // of these, those that are outside of conditions
  // Macros in the texts met which only the build of an extension for CUDA defines, sorted.
  std::vector<std::string> build_macros;
  std::vector<std::string> conditions;  // the words that conditions in the texts met test, sorted
  bool index_complete = true;
};

// What the text of one file says of what it needs.
struct SourceNeeds {
  std::vector<Include> includes;
  std::vector<std::string> build_macros;
  std::vector<std::string> conditions;
};

class IncludeGuesser {
 public:
  // Without `searches` nothing is guessed: a file's includes are followed as its flags have them.
  IncludeGuesser(const SystemPaths& system, bool searches) : system_(system), searches_(searches) {}

  // `known` are the include folders that the file's own flags already name.
  Guess guess(llvm::StringRef file, llvm::StringRef project_root,
              const std::vector<std::string>& known);

 private:
  std::shared_ptr<const HeaderIndex> index_of(llvm::StringRef root);
  std::shared_ptr<const SourceNeeds> needs_of(llvm::StringRef file);
  bool system_has(llvm::StringRef include);

  const SystemPaths& system_;
  const bool searches_;
  std::mutex mutex_;
  llvm::StringMap<std::shared_ptr<const HeaderIndex>> indexes_;
  llvm::StringMap<std::shared_ptr<const SourceNeeds>> needs_;
  llvm::StringMap<bool> system_has_;
};

}  // namespace placecheck::frontend
