#include "analyzer/scenarios.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace placecheck {
namespace {

using findings::Finding;

// Findings that say the same at the same place are one.
auto identity(const Finding& finding) {
  return std::tuple(finding.rule, finding.range, finding.message);
}
using Identity = decltype(identity(Finding()));

void add_coverage(const dataflow::Coverage& coverage, dataflow::Coverage& all) {
  // The calls are the same ones each time.
  std::map<std::string, uint64_t> unmodelled = std::move(all.unmodelled);
  for (const auto& [name, count] : coverage.unmodelled)
    unmodelled[name] = std::max(unmodelled[name], count);
  all.add(coverage);
  all.unmodelled = std::move(unmodelled);
}

void add_lost(const std::vector<ProgramFindings::Lost>& lost, ProgramFindings& all) {
  for (const ProgramFindings::Lost& each : lost) {
    const bool is_known = std::ranges::any_of(
        all.lost, [&](const auto& known) { return known.program == each.program; });
    if (!is_known) all.lost.push_back(each);
  }
}

void add_too_large(const std::vector<std::string>& programs, ProgramFindings& all) {
  for (const std::string& each : programs) {
    if (std::ranges::find(all.too_large, each) == all.too_large.end())
      all.too_large.push_back(each);
  }
}

}  // namespace

std::vector<Scenario> scenarios_of(const Options& options, const checks::AnalyzeOptions& usual) {
  std::vector<Scenario> all;
  auto add = [&](std::string name) -> checks::AnalyzeOptions& {
    return all.emplace_back(Scenario{std::move(name), usual}).options;
  };
  for (const std::string& list : options.scenarios.visible)
    add("visible=\"" + list + "\"").visible = list;
  for (unsigned count : options.scenarios.devices) {
    checks::AnalyzeOptions& scenario = add("devices=" + std::to_string(count));
    scenario.devices = static_cast<int>(count);
    scenario.devices_given = true;
    scenario.devices_counted = true;
  }
  for (const std::string& list : options.scenarios.assume) {
    checks::AnalyzeOptions& scenario = add("assume=\"" + list + "\"");
    scenario.shares_host_memory = list.find("hmm") != std::string::npos;
    scenario.shares_peer_memory = list.find("peers") != std::string::npos;
  }
  if (all.empty()) add("");
  return all;
}

ProgramFindings merge_scenarios(std::vector<ScenarioFindings> found) {
  if (found.size() == 1) return std::move(found.front().result);
  std::map<Identity, std::set<size_t>> scenarios;
  for (size_t i = 0; i < found.size(); ++i) {
    for (const Finding& finding : found[i].result.findings) scenarios[identity(finding)].insert(i);
  }
  ProgramFindings all;
  for (ScenarioFindings& each : found) {
    for (Finding& finding : each.result.findings) {
      const std::set<size_t>& holds_in = scenarios.at(identity(finding));
      if (holds_in.size() < found.size()) {
        for (size_t i : holds_in) finding.scenarios.push_back(found[i].name);
      }
      all.findings.push_back(std::move(finding));
    }
    all.places.add(each.result.places);
    if (!each.result.trace.empty()) all.trace += each.name + "\n" + each.result.trace;
    add_coverage(each.result.coverage, all.coverage);
    add_too_large(each.result.too_large, all);
    add_lost(each.result.lost, all);
  }
  return all;
}

}  // namespace placecheck
