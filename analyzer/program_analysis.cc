#include "analyzer/program_analysis.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "analyzer/dataflow/roots.h"
#include "analyzer/findings/source_cache.h"
#include "analyzer/program_findings.h"
#include "analyzer/worker_pool.h"
#include "llvm/Support/Threading.h"
#include "rules/invalid_device.h"
#include "rules/visible_devices.h"

namespace placecheck {
namespace {

// A program that many lines start is looked at as some of them do.
constexpr size_t kMostLaunches = 4;

// On which device something is depends on the list of visible ones in these rules alone.
constexpr std::string_view kRulesOfLists[] = {rules::invalid_device::kRule.id,
                                              rules::visible_devices::kRule.id};

findings::SourceRange range_of(const discovery::Launch& launch) {
  return {launch.script, launch.line, launch.column, launch.line, launch.end_column};
}

// What is found where a program starts as a script starts it, and not otherwise.
void add_findings_of_launch(const ir::Program& program, checks::AnalyzeOptions options,
                            const discovery::Launch& launch, findings::SourceCache& sources,
                            std::vector<findings::Finding>& findings) {
  std::erase_if(options.rules, [](const std::string& rule) {
    return std::ranges::find(kRulesOfLists, rule) == std::end(kRulesOfLists);
  });
  if (options.rules.empty()) return;
  options.visible = launch.visible;
  options.command_line = {launch.are_arguments_known, launch.arguments};
  options.record_places = false;
  dataflow::Coverage coverage;
  for (findings::Finding& finding : checks::analyze(program, options, sources, coverage)) {
    const bool is_known = std::ranges::any_of(findings, [&](const findings::Finding& other) {
      return other.rule == finding.rule && other.range == finding.range;
    });
    if (is_known) continue;
    finding.notes.push_back({range_of(launch), "the program is started here with '" +
                                                   launch.visible + "' as the visible devices"});
    findings.push_back(std::move(finding));
  }
}

SolvedProgram solve(const ir::Program& program, checks::AnalyzeOptions options,
                    const AnalysisRequest& request) {
  SolvedProgram solved;
  options.trace = [&](const std::string& line) { solved.trace += line + "\n"; };
  findings::SourceCache sources;
  if (request.texts) {
    for (const auto& [path, text] : *request.texts) sources.add(path, text);
  }
  solved.findings =
      checks::analyze(program, options, sources, solved.coverage, &solved.places, &solved.files);
  size_t launches = 0;
  for (const discovery::Launch& launch : request.launches) {
    if (launch.program != program.name || options.visible || launches++ == kMostLaunches) continue;
    add_findings_of_launch(program, options, launch, sources, solved.findings);
  }
  return solved;
}

std::string why_lost(const JobResult& result) {
  if (result.end == JobEnd::kStopped) return "not analysed: the run was stopped";
  if (result.end == JobEnd::kNotStarted) return "not analysed: no process could be started for it";
  return "the analysis crashed";
}

// Solves the programs with these numbers.
void solve_all(const std::vector<size_t>& numbers, const AnalysisRequest& request,
               const std::function<SolvedProgram(size_t)>& solve_one,
               std::vector<std::optional<SolvedProgram>>& solved,
               std::vector<std::string>& losses) {
  Jobs jobs;
  jobs.count = numbers.size();
  jobs.should_stop = request.should_stop;
  jobs.work = [&](size_t i) { return JobOutput{bytes_of(solve_one(numbers[i])), false}; };
  jobs.done = [&](size_t i, JobResult result) {
    std::optional<SolvedProgram>& slot = solved[numbers[i]];
    std::optional<SolvedProgram> made;
    if (result.end == JobEnd::kDone) made = solved_from(result.bytes);
    // What was found without the files of others stands.
    if (made) slot = std::move(made);
    if (!slot) losses[numbers[i]] = why_lost(result);
  };
  run_jobs(jobs, llvm::hardware_concurrency(request.jobs).compute_thread_count(), {});
}

}  // namespace

ProgramFindings analyze_programs(const std::vector<ir::Program>& programs,
                                 const checks::AnalyzeOptions& options,
                                 const AnalysisRequest& request) {
  std::vector<std::optional<SolvedProgram>> solved(programs.size());
  std::vector<std::string> losses(programs.size());
  const dataflow::RootOwners owners(programs);
  std::vector<std::vector<dataflow::FoundFile>> files(programs.size());
  auto solve_one = [&](size_t i) {
    checks::AnalyzeOptions own = options;
    own.owns_root = [&owners, i](const auto& root) { return owners.owns(i, root); };
    own.files = std::move(files[i]);
    return solve(programs[i], std::move(own), request);
  };
  std::vector<size_t> all_numbers(programs.size());
  std::iota(all_numbers.begin(), all_numbers.end(), size_t{0});
  solve_all(all_numbers, request, solve_one, solved, losses);
  std::vector<const dataflow::FileTraffic*> traffic;
  for (const std::optional<SolvedProgram>& each : solved)
    traffic.push_back(each ? &each->files : nullptr);
  std::vector<size_t> readers;
  for (size_t i = 0; i < programs.size(); ++i) {
    files[i] = dataflow::files_for(i, programs, traffic);
    if (!files[i].empty()) readers.push_back(i);
  }
  solve_all(readers, request, solve_one, solved, losses);
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
