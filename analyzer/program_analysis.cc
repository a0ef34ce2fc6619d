#include "analyzer/program_analysis.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "analyzer/findings/source_cache.h"
#include "analyzer/program_findings.h"
#include "analyzer/worker_pool.h"
#include "llvm/Support/Threading.h"

namespace placecheck {
namespace {

SolvedProgram solve(const ir::Program& program, checks::AnalyzeOptions options,
                    const cache::Texts* texts) {
  SolvedProgram solved;
  options.trace = [&](const std::string& line) { solved.trace += line + "\n"; };
  findings::SourceCache sources;
  if (texts) {
    for (const auto& [path, text] : *texts) sources.add(path, text);
  }
  solved.findings = checks::analyze(program, options, sources, solved.coverage, &solved.places);
  return solved;
}

std::string why_lost(const JobResult& result) {
  if (result.end == JobEnd::kStopped) return "not analysed: the run was stopped";
  if (result.end == JobEnd::kNotStarted) return "not analysed: no process could be started for it";
  return "the analysis crashed";
}

}  // namespace

ProgramFindings analyze_programs(const std::vector<ir::Program>& programs,
                                 const checks::AnalyzeOptions& options,
                                 const AnalysisLimits& limits) {
  std::vector<std::optional<SolvedProgram>> solved(programs.size());
  std::vector<std::string> losses(programs.size());
  Jobs jobs;
  jobs.count = programs.size();
  jobs.should_stop = limits.should_stop;
  jobs.work = [&](size_t i) {
    return JobOutput{bytes_of(solve(programs[i], options, limits.texts)), false};
  };
  jobs.done = [&](size_t i, JobResult result) {
    if (result.end == JobEnd::kDone) solved[i] = solved_from(result.bytes);
    if (!solved[i]) losses[i] = why_lost(result);
  };
  run_jobs(jobs, llvm::hardware_concurrency(limits.jobs).compute_thread_count(), {});
  ProgramFindings all;
  for (size_t i = 0; i < programs.size(); ++i) {
    if (!solved[i]) {
      all.lost.push_back({programs[i].name, std::move(losses[i])});
      continue;
    }
    SolvedProgram& each = *solved[i];
    all.trace += each.trace;
    std::move(each.findings.begin(), each.findings.end(), std::back_inserter(all.findings));
    all.coverage.add(each.coverage);
    all.places.add(each.places);
    if (!each.coverage.too_large.empty()) all.too_large.push_back(programs[i].name);
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
  result.places.keep_files([&](const std::string& file) { return files.count(file) != 0; });
}

}  // namespace placecheck
