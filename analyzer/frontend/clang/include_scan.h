// Which large external headers a source reaches, and what the project defines on the way to them,
// read from the text alone: no preprocessor runs.
//
// Ownership: values. Threads: one a file system. Errors: none; what is unclear ends
// the scan, and what was found before that stands.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace placecheck::frontend {

// The folders that a command line names for includes, in the order in which they are searched.
struct IncludeFolders {
  std::vector<std::string> quoted;  // -iquote
  std::vector<std::string> early;   // -I, -isystem: before the compiler's own
  std::vector<std::string> late;    // -idirafter: after them
};

struct IncludeScan {
  std::map<std::string, std::string> headers;  // as spelled -> path, or empty: the compiler's own
  std::set<std::string> macros;                // defined by the project before them
  std::set<std::string> undefined;             // undefined by it, never having been defined
};

struct ScanInput {
  std::string path;
  IncludeFolders folders;
  const std::function<bool(llvm::StringRef)>& is_external;
  // Whether an external header, as spelled, is worth sharing.
  const std::function<bool(llvm::StringRef)>& is_large;
};

IncludeScan scan_includes(const ScanInput& input, llvm::vfs::FileSystem& disk);

}  // namespace placecheck::frontend
