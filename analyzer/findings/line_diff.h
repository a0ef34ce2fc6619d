// Which lines of a text changed, and how that is written for people and for `patch`. Pure
// functions.
#ifndef PLACECHECK_ANALYZER_FINDINGS_LINE_DIFF_H_
#define PLACECHECK_ANALYZER_FINDINGS_LINE_DIFF_H_

#include <cstddef>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace placecheck::findings {

// Old lines that new ones stand for; lines count from 0. One of the counts may be 0.
struct LineChange {
  std::size_t old_begin = 0;
  std::size_t old_count = 0;
  std::size_t new_begin = 0;
  std::size_t new_count = 0;

  friend bool operator==(const LineChange&, const LineChange&) = default;
};

// A shortest list of changes, in order; texts that differ in more than some thousand lines give one
// change from the first to the last difference.
std::vector<LineChange> changed_lines(llvm::StringRef before, llvm::StringRef after);

// The changes as a unified diff with three lines of context; empty where nothing changed.
std::string unified_diff(llvm::StringRef path, llvm::StringRef before, llvm::StringRef after);

}  // namespace placecheck::findings

#endif  // PLACECHECK_ANALYZER_FINDINGS_LINE_DIFF_H_
