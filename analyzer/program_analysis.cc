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
#include "rules/missing_map_location.h"
#include "rules/visible_devices.h"

namespace placecheck {
namespace {

// A program that many lines start is looked at as some of them do.
constexpr size_t kMostLaunches = 4;

// On which device something is depends on the list of visible ones in these rules alone.
constexpr std::string_view kRulesOfLists[] = {rules::invalid_device::kRule.id,
                                              rules::missing_map_location::kRule.id,
                                              rules::visible_devices::kRule.id};

findings::SourceRange range_of(const discovery::Launch& launch) {
  return {launch.script, launch.line, launch.column, launch.line, launch.end_column};
}

// What is found where a program starts as a script starts it, and not otherwise.
void add_findings_of_launch(const ir::Program& program, checks::AnalyzeOptions options,
                            const discovery::Launch& launch, findings::SourceCache& sources,
                            std::vector<findings::Finding>& findings) {
  // The script hides the devices on purpose: only a checkpoint that needs one is a mistake.
  const bool is_without_devices = rules::visible_devices::count(launch.visible, std::nullopt) == 0;
  std::erase_if(options.rules, [&](const std::string& rule) {
    if (is_without_devices) return rule != rules::missing_map_location::kRule.id;
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

// All programs of a run on their way to outcomes.
class Solving {
 public:
  Solving(const std::vector<ir::Program>& programs, const checks::AnalyzeOptions& options,
          const AnalysisRequest& request)
      : programs_(programs),
        options_(options),
        request_(request),
        owners_(programs),
        files_(programs.size()),
        solved_(programs.size()),
        losses_(programs.size()) {}

  void run() {
    std::vector<size_t> all(programs_.size());
    std::iota(all.begin(), all.end(), size_t{0});
    solve_all(all);
    std::vector<const dataflow::FileTraffic*> traffic;
    for (const std::optional<SolvedProgram>& each : solved_)
      traffic.push_back(each ? &each->files : nullptr);
    std::vector<size_t> readers;
    for (size_t i = 0; i < programs_.size(); ++i) {
      files_[i] = dataflow::files_for(i, programs_, traffic);
      if (!files_[i].empty()) readers.push_back(i);
    }
    solve_all(readers);
    if (request_.cache) request_.cache->trim();
  }

  ProgramFindings take() {
    ProgramFindings all;
    for (size_t i = 0; i < programs_.size(); ++i) {
      if (!solved_[i]) {
        all.lost.push_back({programs_[i].name, std::move(losses_[i])});
        continue;
      }
      SolvedProgram& each = *solved_[i];
      all.trace += each.trace;
      std::move(each.findings.begin(), each.findings.end(), std::back_inserter(all.findings));
      all.coverage.add(each.coverage);
      all.places.add(each.places);
      if (!each.coverage.too_large.empty()) all.too_large.push_back(programs_[i].name);
    }
    return all;
  }

 private:
  checks::AnalyzeOptions options_of(size_t program) const {
    checks::AnalyzeOptions own = options_;
    own.owns_root = [this, program](const auto& root) { return owners_.owns(program, root); };
    own.files = files_[program];
    return own;
  }

  // The programs with these numbers, each with the files that it has by now.
  void solve_all(const std::vector<size_t>& numbers) {
    std::vector<size_t> rest;
    std::vector<std::string> keys;
    for (size_t i : numbers) {
      std::string key;
      std::optional<SolvedProgram> known;
      if (request_.cache) {
        key = request_.cache->key_of(programs_[i], options_of(i), owners_.digest_of_owned(i),
                                     request_.launches);
        known = request_.cache->find(key);
      }
      if (known) {
        solved_[i] = std::move(known);
        continue;
      }
      rest.push_back(i);
      keys.push_back(std::move(key));
    }
    Jobs jobs;
    jobs.count = rest.size();
    jobs.should_stop = request_.should_stop;
    jobs.work = [&](size_t i) {
      return JobOutput{bytes_of(solve(programs_[rest[i]], options_of(rest[i]), request_)), false};
    };
    jobs.done = [&](size_t i, JobResult result) {
      std::optional<SolvedProgram>& slot = solved_[rest[i]];
      std::optional<SolvedProgram> made;
      if (result.end == JobEnd::kDone) made = solved_from(result.bytes);
      if (made && request_.cache) request_.cache->keep(keys[i], result.bytes);
      // What was found without the files of others stands.
      if (made) slot = std::move(made);
      if (!slot) losses_[rest[i]] = why_lost(result);
    };
    run_jobs(jobs, llvm::hardware_concurrency(request_.jobs).compute_thread_count(), {});
  }

  const std::vector<ir::Program>& programs_;
  const checks::AnalyzeOptions& options_;
  const AnalysisRequest& request_;
  const dataflow::RootOwners owners_;
  std::vector<std::vector<dataflow::FoundFile>> files_;  // that other programs have saved
  std::vector<std::optional<SolvedProgram>> solved_;
  std::vector<std::string> losses_;
};

}  // namespace

ProgramFindings analyze_programs(const std::vector<ir::Program>& programs,
                                 const checks::AnalyzeOptions& options,
                                 const AnalysisRequest& request) {
  Solving solving(programs, options, request);
  solving.run();
  return solving.take();
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
