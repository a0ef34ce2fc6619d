// One analysis for an editor: a file as `placecheck FILE` checks it, with the texts of open
// documents in place of what is on disk.
//
// Ownership: values, which travel between processes as bytes. Threads: one, while the process has
// no other; it runs its own pools. Errors: told in the result.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/cache/file_facts.h"
#include "analyzer/dataflow/place_table.h"
#include "analyzer/findings/finding.h"
#include "analyzer/options.h"
#include "rules/rule.h"

namespace placecheck::lsp {

struct AnalysisRequest {
  std::string path;     // of the file that is checked
  std::string base;     // the folder in which a user would have started the check
  Options options;      // of the command line; its paths are absolute
  cache::Texts opened;  // all open documents, by path
};

struct Analysis {
  // In order, without what comments, settings and the baseline silence. Fixes that reach beyond the
  // project are taken off; files are called as in `opened` where they are open.
  std::vector<findings::Finding> findings;
  std::vector<rules::Severity> severities;  // of each finding
  dataflow::PlaceTable places;              // of the file, by the name that the compiler knows
  std::vector<std::string> read_files;      // of the project: what the findings depend on
  std::vector<std::string> complaints;      // what could not be done, such as reading the settings
  bool is_refused = false;                  // nothing was checked: the settings cannot be read
  std::string doubt;                        // why the file was not understood as a whole, if so
};

// `lowered` is told when all files have been read and what is left cannot be kept for another time.
Analysis analyze_document(const AnalysisRequest& request, const std::function<void()>& lowered);

std::string bytes_of(const Analysis& analysis);
std::optional<Analysis> analysis_from(llvm::StringRef bytes);

}  // namespace placecheck::lsp
