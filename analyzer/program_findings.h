// What was found in programs, as values and as bytes that one process sends to another.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/dataflow/engine.h"
#include "analyzer/findings/finding.h"
#include "llvm/ADT/StringRef.h"

namespace placecheck {

struct SolvedProgram {
  std::vector<findings::Finding> findings;
  dataflow::Coverage coverage;
  dataflow::PlaceTable places;  // where that is recorded
  dataflow::FileTraffic files;  // that it saves and loads
  std::string trace;            // lines, where a function is traced
};

std::string bytes_of(const SolvedProgram& solved);
std::optional<SolvedProgram> solved_from(llvm::StringRef bytes);

std::string bytes_of(const dataflow::SavedValue& value);

}  // namespace placecheck
