// Lowers the discovered files, in parallel, and says how well each was understood.
//
// Ownership: what comes back is values; units are heap-allocated so that programs may point at
// them. Threads: runs its own pool and returns when it is empty. Errors: none; a file of which
// nothing could be made has no unit content and says why in its report.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "analyzer/discovery/discovery.h"
#include "analyzer/findings/report.h"
#include "analyzer/frontend/clang/compile_flags.h"
#include "analyzer/frontend/clang/lower.h"
#include "analyzer/ir/ir.h"

namespace placecheck {

struct LoweredFile {
  std::unique_ptr<ir::Unit> unit;
  findings::FileReport report;
  std::vector<std::string> notes;  // about its compile flags, or what the front end got wrong
  bool is_context = false;         // lowered for the sake of others: nothing is said of it
};

struct LoweringOptions {
  unsigned jobs = 0;                                 // 0: one for each core
  std::function<void(const std::string&)> progress;  // told each file, by one thread at a time
  unsigned memory = 0;                               // MB for all files together; 0: what there is
  std::string cache_folder;                          // empty: nothing is kept between runs
};

// What the front end is given for one file: `command` is that of `flags`, which must outlive it.
frontend::LowerInput lower_input(const std::string& path, const frontend::CompileFlags& flags,
                                 const frontend::CompileCommand& command);

// In the order of `files`. Headers are understood as part of the sources that include them; one
// that nothing includes is lowered by itself if the user named it, or if there are no sources.
std::vector<LoweredFile> lower_files(const std::vector<discovery::SourceFile>& files,
                                     const frontend::CompileFlags& flags,
                                     const LoweringOptions& options);

}  // namespace placecheck
