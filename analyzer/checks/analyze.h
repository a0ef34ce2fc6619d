// Analyses one linked program: runs it abstractly from its entries, then each function that nothing
// reached on arguments of which nothing is known, and collects what the checks find.
//
// Thread-safe as long as each call has its own SourceCache.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "analyzer/checks/check.h"

namespace placecheck::checks {

struct AnalyzeOptions {
  std::set<std::string> rules;                 // ids to run; empty: all
  int devices = 2;                             // at least so many CUDA devices are assumed
  bool devices_given = false;                  // and no more
  bool shares_host_memory = false;             // devices reach all memory of the host
  bool shares_peer_memory = false;             // and that of each other
  const models::UserModels* models = nullptr;  // a user's table of calls
  std::string trace_function;  // a function's name, qualified or not: its states are printed
  std::function<void(const std::string&)> trace;
};

std::vector<findings::Finding> analyze(const ir::Program& program, const AnalyzeOptions& options,
                                       findings::SourceCache& sources,
                                       dataflow::Coverage& coverage);

}  // namespace placecheck::checks
