// The scenarios of the configuration: machines on which one check is solved by itself, and what was
// found on which of them.
//
// Ownership: values. Threads: any. Errors: none.
#pragma once

#include <string>
#include <vector>

#include "analyzer/checks/analyze.h"
#include "analyzer/options.h"
#include "analyzer/program_analysis.h"

namespace placecheck {

struct Scenario {
  std::string name;  // "devices=1"; empty where the options name no scenarios
  checks::AnalyzeOptions options;
};

// One for each value of Options::scenarios, else one alone; `usual` is what holds but for that.
std::vector<Scenario> scenarios_of(const Options& options, const checks::AnalyzeOptions& usual);

struct ScenarioFindings {
  std::string name;
  ProgramFindings result;
};

// All together. A finding says in which scenarios it holds, unless it does in each.
ProgramFindings merge_scenarios(std::vector<ScenarioFindings> found);

}  // namespace placecheck
