// How one file was read: its compile flags and where they come from, what did not parse, and which
// functions are known only in part. For people who wonder why a file was not understood.
//
// Errors: none; a file that cannot be read is said to be so.
#pragma once

#include <string>

#include "analyzer/frontend/clang/compile_flags.h"
#include "analyzer/worker_pool.h"

namespace llvm {
class raw_ostream;
}

namespace placecheck {

// Parses the file, at `path`, anew. `root` is what paths are shown relative to. True if all of the
// file was understood.
bool explain_file(const std::string& path, const frontend::CompileFlags& flags,
                  const std::string& root, const JobLimits& limits, llvm::raw_ostream& out);

}  // namespace placecheck
