// Outcomes of earlier runs: a program of which nothing has changed is not solved again.
//
// An outcome is good for as long as all that it follows from is what it was: the program's units
// and the files that these were lowered from, the options, which of the functions that it shares
// with other programs it runs by itself, how scripts start it, and what other programs leave in the
// files that it loads.
// Ownership: values; the units must outlive this. Threads: one. Errors: none; in doubt there is no
// outcome.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/cache/store.h"
#include "analyzer/checks/analyze.h"
#include "analyzer/discovery/launches.h"
#include "analyzer/ir/link.h"
#include "analyzer/program_findings.h"

namespace placecheck {

class ProgramCache {
 public:
  // `digests`: of each unit and all that it was made from; a program that has another unit is never
  // kept. An empty folder keeps nothing.
  ProgramCache(const std::string& folder, std::map<const ir::Unit*, std::string> digests);

  // `options`: those that are the program's own among them; `owned_roots` tells apart what it runs
  // by itself of what it shares. Empty where nothing is kept.
  std::string key_of(const ir::Program& program, const checks::AnalyzeOptions& options,
                     uint64_t owned_roots, const std::vector<discovery::Launch>& launches) const;

  // An empty key finds nothing, and nothing is kept under it.
  std::optional<SolvedProgram> find(const std::string& key) const;
  // `bytes`: those of the outcome.
  void keep(const std::string& key, const std::string& bytes);
  // Evicts what was not used for longest, if anything was kept.
  void trim();

 private:
  cache::Store store_;
  std::map<const ir::Unit*, std::string> digests_;
};

}  // namespace placecheck
