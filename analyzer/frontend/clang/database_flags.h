// Compilation databases: found, read with their errors said, and their flags made fit for Clang.
//
// Ownership: values only. Threads: immutable once loaded. Errors: a database that cannot be read
// is an empty one, with a note.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

namespace placecheck::frontend {

struct DatabaseEntry {
  std::string directory;
  std::vector<std::string> args;  // as written, the compiler first
};

class Database {
 public:
  // `file` is a compile_commands.json. A note is added for what is wrong with it.
  static Database load(const std::string& file, std::vector<std::string>& notes);

  const DatabaseEntry* find(llvm::StringRef path) const;

 private:
  llvm::StringMap<DatabaseEntry> entries_;  // by real path
};

// The compile_commands.json of `folder` or of its build folder; "" when there is none.
std::string database_in(llvm::StringRef folder);

struct CleanFlags {
  std::vector<std::string> args;          // without compiler, input and output
  std::vector<std::string> include_dirs;  // absolute, in order, those that exist
  std::string language;                   // the value of -x, "" when not said
  std::string cuda;                       // the toolkit's folder, "" when not said
  bool has_standard = false;
};

// Files of flags that a command names, "@file".
enum class ResponseFiles { kOpened, kDropped };

// What Clang and a checker can use of a compiler's flags: nvcc's are translated, output,
// dependency, warning, optimisation and unknown ones dropped, paths made absolute.
CleanFlags clean_flags(const std::vector<std::string>& args, llvm::StringRef directory,
                       ResponseFiles response_files = ResponseFiles::kOpened);

}  // namespace placecheck::frontend
