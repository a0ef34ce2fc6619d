// Solves all programs, in parallel.
//
// Ownership: values; the programs must outlive the call only. Threads: runs its own pool and
// returns when it is empty; the result does not depend on which program was ready first. Errors:
// none.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "analyzer/checks/analyze.h"
#include "analyzer/dataflow/engine.h"
#include "analyzer/findings/finding.h"
#include "analyzer/ir/link.h"

namespace placecheck {

struct ProgramFindings {
  std::vector<findings::Finding> findings;  // in the order of the programs
  dataflow::Coverage coverage;
  std::string trace;                   // lines, where a function is traced
  std::vector<std::string> too_large;  // the names of programs that were not followed to the end
};

ProgramFindings analyze_programs(const std::vector<ir::Program>& programs,
                                 const checks::AnalyzeOptions& options, unsigned jobs);

// Drops the findings that neither are in one of the files nor have a note there, and the operations
// counted elsewhere.
void restrict_to(const std::set<std::string>& files, ProgramFindings& result);

}  // namespace placecheck
