#include "analyzer/project_report.h"

#include <algorithm>
#include <set>
#include <utility>

#include "analyzer/discovery/exclude.h"
#include "analyzer/findings/finding.h"
#include "analyzer/findings/suppression.h"
#include "analyzer/settings.h"

namespace placecheck {
namespace {

using findings::Finding;

void add_coverage(const dataflow::Coverage& coverage, findings::Report& report) {
  for (const auto& [file, sites] : coverage.operations) {
    findings::FileCoverage covered{file, sites.size(), 0};
    for (const auto& [position, is_known] : sites) {
      if (is_known)
        ++covered.understood;
      else
        covered.unknown.push_back(position);
    }
    report.coverage.push_back(std::move(covered));
  }
  for (const auto& [name, count] : coverage.unmodelled) report.unmodelled.push_back({name, count});
  std::stable_sort(report.unmodelled.begin(), report.unmodelled.end(),
                   [](const auto& a, const auto& b) { return a.count > b.count; });
  for (const auto& [file, line, name] : coverage.too_large)
    report.large_functions.push_back({name, file, line});
  report.extensions.exported_functions = coverage.exported.size();
  for (const auto& [file, sites] : coverage.launches) {
    report.extensions.launches += sites.size();
    for (const auto& [position, is_reached] : sites) {
      if (is_reached)
        ++report.extensions.reached_launches;
      else
        report.extensions.unreached.push_back({file, position.first});
    }
  }
}

// What the configuration says of rules and files; findings that it turns off are dropped.
void choose_severities(findings::Report& report, const Options& options) {
  std::set<std::pair<std::string, std::string>> turned_off;  // by rule and file
  for (const ChosenSeverity& chosen : options.severities) {
    const discovery::Exclude paths(chosen.paths, options.exclude_root);
    const auto severity = severity_named(chosen.severity);
    for (const Finding& finding : report.findings) {
      const bool fits = finding.rule == chosen.rule &&
                        (chosen.paths.empty() || paths.matches(finding.range.file));
      if (!fits) continue;
      const std::pair key(finding.rule, finding.range.file);
      turned_off.erase(key);
      report.severities.erase(key);
      if (severity)
        report.severities[key] = *severity;
      else
        turned_off.insert(key);
    }
  }
  std::erase_if(report.findings, [&](const Finding& finding) {
    return turned_off.count({finding.rule, finding.range.file}) != 0;
  });
}

}  // namespace

std::optional<rules::Severity> severity_named(std::string_view name) {
  for (rules::Severity each :
       {rules::Severity::kError, rules::Severity::kWarning, rules::Severity::kAdvice}) {
    if (rules::name(each) == name) return each;
  }
  return std::nullopt;
}

findings::Report report_of(std::vector<findings::FileReport> files, ProgramFindings result,
                           std::string root) {
  findings::Report report;
  report.root = std::move(root);
  report.findings = std::move(result.findings);
  report.too_large = std::move(result.too_large);
  report.places = std::move(result.places);
  add_coverage(result.coverage, report);
  report.files = std::move(files);
  return report;
}

void settle(findings::Report& report, const Options& options, findings::SourceCache& sources) {
  findings::order_and_deduplicate(report.findings);
  findings::apply_suppressions(report, enabled_rules(options), sources, options.require_reason);
  findings::order_and_deduplicate(report.findings);
  choose_severities(report, options);
}

std::vector<std::string> severity_problems(const Options& options) {
  std::vector<std::string> problems;
  for (const ChosenSeverity& chosen : options.severities) {
    const discovery::Exclude paths(chosen.paths, options.exclude_root);
    problems.insert(problems.end(), paths.problems().begin(), paths.problems().end());
  }
  return problems;
}

}  // namespace placecheck
