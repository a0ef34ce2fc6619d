// Analyses one linked program: runs it abstractly from its entries, then each function that nothing
// reached on arguments of which nothing is known, and collects what the checks find.
//
// Thread-safe as long as each call has its own SourceCache.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "analyzer/checks/check.h"
#include "analyzer/dataflow/python_callers.h"
#include "analyzer/dataflow/roots.h"

namespace placecheck::checks {

// What the engine is told, and which rules are checked. `models` are a user's table of calls.
struct AnalyzeOptions : dataflow::EngineOptions {
  std::set<std::string> rules;                  // ids to run; empty: all
  dataflow::PythonCallers python_callers = {};  // of the whole project
  dataflow::OwnsRoot owns_root = {};            // what other programs have as well
};

// `places`, if given and asked for, says where each expression's value is; `files`, if given, which
// files the program saves and loads.
std::vector<findings::Finding> analyze(const ir::Program& program, const AnalyzeOptions& options,
                                       findings::SourceCache& sources, dataflow::Coverage& coverage,
                                       dataflow::PlaceTable* places = nullptr,
                                       dataflow::FileTraffic* files = nullptr);

}  // namespace placecheck::checks
