// Lowers the discovered files, in parallel, and says how well each was understood.
//
// Each file is parsed in a process of its own kind (worker_pool.h), which ends alone.
// Ownership: what comes back is values; units are heap-allocated so that programs may point at
// them. Threads: call while the process has no other; runs its own pools and returns when they are
// empty. Errors: none; a file of which nothing could be made has no unit content and says why in
// its report.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "analyzer/cache/file_facts.h"
#include "analyzer/cache/file_log.h"
#include "analyzer/discovery/discovery.h"
#include "analyzer/findings/report.h"
#include "analyzer/frontend/clang/compile_flags.h"
#include "analyzer/frontend/clang/lower.h"
#include "analyzer/ir/ir.h"
#include "analyzer/worker_pool.h"

namespace placecheck {

struct LoweredFile {
  std::unique_ptr<ir::Unit> unit;
  findings::FileReport report;
  std::vector<std::string> notes;  // about its compile flags
  bool is_context = false;         // lowered for the sake of others: nothing is said of it
  bool is_lost = false;            // no parse of it ended: a crash, a limit, a stopped run
  std::string digest;              // of the unit and all that it was made from; empty: unknown
};

struct LoweringOptions {
  unsigned jobs = 0;                                 // 0: one for each core
  std::function<void(const std::string&)> progress;  // told each file, by one thread at a time
  unsigned memory = 0;                               // MB for all files together; 0: what there is
  unsigned file_seconds = 0;                         // of processor time for one file; 0: no limit
  unsigned file_memory = 0;                          // MB for one file; 0: no limit
  std::function<bool()> should_stop;                 // asked often; may be empty
  std::function<void(const std::string&)> note;  // told what is wrong with the cache; may be empty
  std::string cache_folder;                      // empty: nothing is kept between runs
  // Texts that stand for what is on disk; must outlive the call. What is lowered of them is kept
  // apart from what is lowered of the disk.
  const cache::Texts* replaced = nullptr;
  // There will be more calls for these files: shared headers pay at once, and whoever calls sees to
  // the size of the cache.
  bool comes_again = false;
  bool with_imported = true;  // and the Python files that these import
};

// What the front end is given for one file: `command` is that of `flags`, which must outlive it, as
// must `log`, which takes down what is read, and `replaced` (see LoweringOptions).
frontend::LowerInput lower_input(const std::string& path, const frontend::CompileFlags& flags,
                                 const frontend::CompileCommand& command, cache::FileLog& log,
                                 const cache::Texts* replaced = nullptr);

// Takes out the functions that the verifier refuses: one sentence for each, for
// FileReport::left_out.
std::vector<std::string> leave_out_unsound(ir::Unit& unit);

// Why the parse of a file gave no result.
std::string why_lost(const JobResult& result, const JobLimits& limits);

// In the order of `files`. Headers are understood as part of the sources that include them; one
// that nothing includes is lowered by itself if the user named it, or if there are no sources.
std::vector<LoweredFile> lower_files(const std::vector<discovery::SourceFile>& files,
                                     const frontend::CompileFlags& flags,
                                     const LoweringOptions& options);

}  // namespace placecheck
