#include "tests/random_programs/judgement.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

#include "analyzer/checks/analyze.h"
#include "analyzer/findings/finding.h"
#include "rules/catalog.h"
#include "tests/checks/pipeline.h"

namespace placecheck::random_programs {
namespace {

namespace fs = std::filesystem;

checks::AnalyzeOptions options_of_runs() {
  checks::AnalyzeOptions options;
  options.devices = 2;
  options.devices_given = true;
  for (const rules::Rule& rule : rules::catalog()) {
    const bool is_claim = rule.severity == rules::Severity::kError && !rule.is_asked_for;
    if (is_claim && !rule.predicted_error.empty()) options.rules.insert(std::string(rule.id));
  }
  return options;
}

std::vector<std::string> sources_of(const Program& program, const fs::path& folder) {
  std::vector<std::string> sources;
  for (const File& file : program.files) {
    if (file.name.ends_with(".cc")) {
      sources.push_back((folder / program.name / file.name).string());
    }
  }
  return sources;
}

Claim claim_of(const findings::Finding& finding) {
  return {
      fs::path(finding.range.file).filename().string() + ":" + std::to_string(finding.range.line),
      finding.rule + ": " + finding.message};
}

}  // namespace

std::vector<Claim> Judgement::misplaced() const {
  std::vector<Claim> result;
  for (const Claim& claim : claims) {
    if (is_failing() && !execution.lines.contains(claim.line)) result.push_back(claim);
  }
  return result;
}

void write(const Program& program, const std::string& folder) {
  const fs::path own = fs::path(folder) / program.name;
  fs::create_directories(own);
  for (const File& file : program.files) std::ofstream(own / file.name) << file.text;
}

std::vector<Judgement> judge(const std::vector<Program>& programs,
                             const std::map<std::string, Execution>& executions,
                             const std::string& folder) {
  fs::remove_all(folder);
  fs::create_directories(folder);
  const fs::path root = fs::canonical(folder);
  std::vector<std::string> files;
  for (const Program& program : programs) {
    write(program, root.string());
    std::ranges::move(sources_of(program, root), std::back_inserter(files));
  }
  const checks::Pipeline pipeline(root.string(), files, (root / "cache").string());
  const checks::AnalyzeOptions options = options_of_runs();
  std::vector<Judgement> judgements;
  for (const Program& program : programs) {
    Judgement judgement{program.name, executions.at(program.name), {}};
    for (const auto& finding : pipeline.judge(sources_of(program, root), options)) {
      judgement.claims.push_back(claim_of(finding));
    }
    judgements.push_back(std::move(judgement));
  }
  return judgements;
}

std::string text_of(const Judgement& judgement) {
  const Execution& execution = judgement.execution;
  std::ostringstream text;
  text << judgement.program << ": " << execution.failed_runs << " of " << execution.runs
       << " runs failed\n";
  for (const std::string& error : execution.errors) text << "  run: " << error << '\n';
  for (const Claim& claim : judgement.claims) {
    text << "  claim: " << claim.line << ' ' << claim.text << '\n';
  }
  for (const Claim& claim : judgement.misplaced()) {
    text << "  not confirmed: " << claim.line << '\n';
  }
  return text.str();
}

void Counts::add(const Judgement& judgement) {
  ++programs;
  failing += judgement.is_failing();
  found += judgement.is_failing() && !judgement.claims.empty();
  false_alarms += judgement.is_false_alarm();
  misplaced += !judgement.misplaced().empty();
}

std::string Counts::text() const {
  std::ostringstream text;
  text << programs << " programs: " << programs - failing << " ran to their end, " << failing
       << " failed; of these " << found << " found (" << (failing == 0 ? 0 : 100 * found / failing)
       << " %), " << misplaced << " with a claim that no run confirmed; " << false_alarms
       << " false alarms\n";
  return text.str();
}

}  // namespace placecheck::random_programs
