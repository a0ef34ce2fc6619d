// Lowers one C++ or CUDA source file to an ir::Unit, with Clang.
//
// lower_file owns nothing after it returns, keeps no state between calls and may be called by
// several threads at once. It never fails: what does not parse is left out and counted, what
// cannot be understood becomes a call of nothing (see analyzer/ir/README.md).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "analyzer/ir/ir.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace placecheck::cache {
struct FileLog;
}

namespace placecheck::frontend {

struct SharedHeader;

// Says of a header's path whether it lies outside the project.
using IsExternal = std::function<bool(llvm::StringRef)>;

struct LowerInput {
  std::string path;
  // The whole command line: the compiler's name first, `path` last.
  std::vector<std::string> arguments;
  IsExternal is_external;  // nothing in external headers is lowered
  using FileSystem = llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>;
  // Where files are read from; null: the disk.
  FileSystem file_system;
  // The same once more, for a parse of its own that takes down what it reads; empty: no header is
  // shared.
  std::function<FileSystem(cache::FileLog&)> logged_file_system;
  // What to parse over (see header_cache.h); null: parse plainly.
  std::shared_ptr<const SharedHeader> header;
};

enum class Understanding { kFull, kPartly, kNone };

inline constexpr size_t kMaxMessages = 100;

struct LowerResult {
  ir::Unit unit;
  Understanding understanding = Understanding::kNone;
  unsigned errors = 0;
  std::string first_error;            // "file:line: text"
  std::vector<std::string> messages;  // the first errors, as many as kMaxMessages
  bool crashed = false;               // the parser gave up; another run may fare better
  bool over_header = false;           // was parsed over LowerInput::header, which did not fail
};

LowerResult lower_file(const LowerInput& input);

// Reads what a parse of the file would read, and nothing more: for the log of `file_system`.
void preprocess_file(const LowerInput& input);

// NAME=VALUE of the environment variables that add include folders to every command line.
std::vector<std::string> include_environment();

}  // namespace placecheck::frontend
