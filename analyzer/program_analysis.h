// Solves all programs, in processes of their own (worker_pool.h).
//
// Ownership: values; the programs must outlive the call only. Threads: call while the process has
// no other; the result does not depend on which program was ready first. Errors: a program that
// was not solved is named with the reason.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "analyzer/cache/file_facts.h"
#include "analyzer/checks/analyze.h"
#include "analyzer/dataflow/engine.h"
#include "analyzer/discovery/launches.h"
#include "analyzer/findings/finding.h"
#include "analyzer/ir/link.h"
#include "analyzer/program_cache.h"

namespace placecheck {

struct ProgramFindings {
  std::vector<findings::Finding> findings;  // in the order of the programs
  dataflow::Coverage coverage;
  dataflow::PlaceTable places;         // where that is recorded
  std::string trace;                   // lines, where a function is traced
  std::vector<std::string> too_large;  // the names of programs that were not followed to the end
  struct Lost {
    std::string program;
    std::string reason;
  };
  std::vector<Lost> lost;
};

struct AnalysisRequest {
  unsigned jobs = 0;                    // 0: one for each core
  std::function<bool()> should_stop;    // asked often; may be empty
  const cache::Texts* texts = nullptr;  // stand for what is on disk, where findings quote it
  // How programs are started: what is wrong then only is found as well.
  std::vector<discovery::Launch> launches;
  ProgramCache* cache = nullptr;  // of what earlier runs have solved
};

ProgramFindings analyze_programs(const std::vector<ir::Program>& programs,
                                 const checks::AnalyzeOptions& options,
                                 const AnalysisRequest& request);

// Drops the findings that neither are in one of the files nor have a note there, and the operations
// and places elsewhere.
void restrict_to(const std::set<std::string>& files, ProgramFindings& result);

}  // namespace placecheck
