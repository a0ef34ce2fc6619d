// What changed in a git work tree since a commit: for --changed-since.
//
// Starts `git` of $PATH, and nothing that the project or its repository names: only objects are
// read (rev-parse, ls-tree, cat-file), with no hooks, filters, external diffs, monitors or
// transports. Ownership: values. Threads: one. Errors: a sentence, lower case and without a full
// stop.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/findings/finding.h"
#include "analyzer/findings/source_cache.h"
#include "llvm/Support/Error.h"

namespace placecheck {

class Changes {
 public:
  // Compares `files` (absolute paths), as `sources` has them, with what they were at `revision` in
  // the repository that `folder` lies in. Files outside of it have not changed.
  static llvm::Expected<Changes> since(const std::string& revision, const std::string& folder,
                                       const std::set<std::string>& files,
                                       findings::SourceCache& sources);

  // The files that are others now, each with its text at the revision; of a new one it is unknown.
  const std::map<std::string, std::string>& old_texts() const { return old_texts_; }

  // Whether the finding, or what one of its notes shows, lies on a changed line, or beside one that
  // was removed.
  bool touches(const findings::Finding& finding) const;

 private:
  struct Lines {
    bool all = false;
    std::vector<std::pair<unsigned, unsigned>> ranges;  // first and last, counted from 1
  };

  bool touches(const findings::SourceRange& range) const;

  std::map<std::string, std::string> old_texts_;
  std::map<std::string, Lines> lines_;
};

}  // namespace placecheck
