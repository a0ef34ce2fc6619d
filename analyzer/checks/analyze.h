// Analyses one linked program: runs it abstractly from its entries, then each function that nothing
// reached on arguments of which nothing is known, and collects what the checks find.
//
// Thread-safe as long as each call has its own SourceCache.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analyzer/checks/check.h"

namespace placecheck::checks {

struct AnalyzeOptions {
  std::set<std::string> rules;                 // ids to run; empty: all
  int devices = 2;                             // at least so many CUDA devices are assumed
  bool devices_given = false;                  // and no more
  bool devices_counted = false;                // and the program, which asks, is told so
  std::optional<std::string> visible;          // CUDA_VISIBLE_DEVICES at the start; none: not set
  bool shares_host_memory = false;             // devices reach all memory of the host
  bool shares_peer_memory = false;             // and that of each other
  const models::UserModels* models = nullptr;  // a user's table of calls
  bool record_places = false;                  // fill `places`
  std::string trace_function;  // a function's name, qualified or not: its states are printed
  std::function<void(const std::string&)> trace;
};

// `places`, if given and asked for, says where each expression's value is.
std::vector<findings::Finding> analyze(const ir::Program& program, const AnalyzeOptions& options,
                                       findings::SourceCache& sources, dataflow::Coverage& coverage,
                                       dataflow::PlaceTable* places = nullptr);

}  // namespace placecheck::checks
