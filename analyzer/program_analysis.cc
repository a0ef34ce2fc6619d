#include "analyzer/program_analysis.h"

#include <algorithm>
#include <iterator>

#include "analyzer/findings/source_cache.h"
#include "llvm/Support/ThreadPool.h"

namespace placecheck {
namespace {

struct Solved {
  std::vector<findings::Finding> found;
  dataflow::Coverage coverage;
  std::string trace;
};

Solved solve(const ir::Program& program, checks::AnalyzeOptions options) {
  Solved solved;
  options.trace = [&](const std::string& line) { solved.trace += line + "\n"; };
  findings::SourceCache sources;
  solved.found = checks::analyze(program, options, sources, solved.coverage);
  return solved;
}

}  // namespace

ProgramFindings analyze_programs(const std::vector<ir::Program>& programs,
                                 const checks::AnalyzeOptions& options, unsigned jobs) {
  std::vector<Solved> solved(programs.size());
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(jobs));
  for (size_t i = 0; i < programs.size(); ++i)
    pool.async([&, i] { solved[i] = solve(programs[i], options); });
  pool.wait();
  ProgramFindings all;
  for (size_t i = 0; i < programs.size(); ++i) {
    all.trace += solved[i].trace;
    std::move(solved[i].found.begin(), solved[i].found.end(), std::back_inserter(all.findings));
    all.coverage.add(solved[i].coverage);
    if (solved[i].coverage.budget_exhausted != 0) all.too_large.push_back(programs[i].name);
  }
  return all;
}

void restrict_to(const std::set<std::string>& files, ProgramFindings& result) {
  auto is_kept = [&](const auto& place) { return files.count(place.range.file) != 0; };
  std::erase_if(result.findings, [&](const findings::Finding& finding) {
    return !is_kept(finding) && std::none_of(finding.notes.begin(), finding.notes.end(), is_kept);
  });
  std::erase_if(result.coverage.operations,
                [&](const auto& entry) { return !files.count(entry.first); });
}

}  // namespace placecheck
