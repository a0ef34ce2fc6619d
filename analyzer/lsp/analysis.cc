#include "analyzer/lsp/analysis.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <utility>

#include "analyzer/cache/fields.h"
#include "analyzer/discovery/discovery.h"
#include "analyzer/discovery/exclude.h"
#include "analyzer/files/regular_file.h"
#include "analyzer/findings/baseline.h"
#include "analyzer/findings/report.h"
#include "analyzer/findings/source_cache.h"
#include "analyzer/messages.h"
#include "analyzer/program_findings.h"
#include "analyzer/project_check.h"
#include "analyzer/project_report.h"
#include "analyzer/settings.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace placecheck::lsp {
namespace {

using findings::Finding;
using findings::SourceRange;

class Complaints : public Messages {
 public:
  void complain(const std::string& message) override { said.push_back(message); }
  void warn(const std::string&) override {}
  void mention(const std::string&) override {}

  std::vector<std::string> said;
};

std::string real_path(const std::string& path) {
  llvm::SmallString<256> real;
  return llvm::sys::fs::real_path(path, real) ? path : std::string(real);
}

// The texts that are not what is on disk, under the name by which a compiler may come to them, too.
cache::Texts unsaved(const cache::Texts& opened) {
  cache::Texts texts;
  for (const auto& [path, text] : opened) {
    auto disk = files::read_regular_file(path, files::kMaxSource);
    if (disk && (*disk)->getBuffer() == text) continue;
    texts[path] = text;
    texts[real_path(path)] = text;
  }
  return texts;
}

// Paths as the editor knows them: a compiler comes to a header in many ways.
class EditorPaths {
 public:
  explicit EditorPaths(const cache::Texts& opened) {
    for (const auto& [path, text] : opened) by_real_path_[real_path(path)] = path;
  }

  const std::string& of(const std::string& path) {
    auto [known, is_new] = known_.try_emplace(path);
    if (!is_new) return known->second;
    llvm::SmallString<256> plain(path);
    llvm::sys::path::remove_dots(plain, /*remove_dot_dot=*/true);
    const auto opened = by_real_path_.find(real_path(path));
    return known->second = opened == by_real_path_.end() ? std::string(plain) : opened->second;
  }

  void rename(Finding& finding) {
    finding.range.file = of(finding.range.file);
    for (findings::Note& note : finding.notes) note.range.file = of(note.range.file);
    for (findings::FixIt& fix_it : finding.fix_its) fix_it.range.file = of(fix_it.range.file);
  }

 private:
  std::map<std::string, std::string> by_real_path_;
  std::map<std::string, std::string> known_;
};

void drop_foreign_fixes(const ProjectCheck& check, std::vector<Finding>& all) {
  const std::set<std::string> own = check.checked_files();
  for (Finding& finding : all) {
    const bool is_foreign = std::ranges::any_of(finding.fix_its, [&](const auto& fix_it) {
      const std::string& file = fix_it.range.file;
      return own.count(file) == 0 || check.flags().is_external_header(file);
    });
    if (is_foreign) finding.fix_its.clear();
  }
}

void leave_out_known(const Options& options, findings::Report& report,
                     findings::SourceCache& sources, Messages& messages) {
  if (options.baseline.empty()) return;
  auto known = findings::Baseline::read_file(options.baseline);
  if (known)
    findings::apply_baseline(*known, report, sources);
  else
    messages.complain(llvm::toString(known.takeError()));
}

// None where they cannot be read.
std::optional<Settings> settings_of(const AnalysisRequest& request, Messages& messages) {
  Settings settings;
  settings.options = request.options;
  settings.options.action = Action::kCheck;
  settings.options.paths = {request.path};
  std::vector<std::string> errors = read_config(settings.options, request.base);
  if (errors.empty()) errors = complete(settings, request.base);
  for (const std::string& error : errors) messages.complain(error);
  if (!errors.empty()) return std::nullopt;
  return settings;
}

// None where the settings or the name of the file say that it is not to be checked.
std::optional<discovery::SourceFile> source_file(const AnalysisRequest& request,
                                                 const Options& options) {
  discovery::SourceFile file;
  file.path = file.shown = request.path;
  file.named = true;
  if (!discovery::language_of(request.path, file.language)) return std::nullopt;
  if (discovery::Exclude(options.exclude, options.exclude_root).matches(request.path))
    return std::nullopt;
  return file;
}

// Whoever waits for the result no longer wants it ends the process; the clock is the user's wish.
std::function<bool()> stop_after(unsigned seconds) {
  if (seconds == 0) return [] { return false; };
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  return [end] { return std::chrono::steady_clock::now() > end; };
}

void check_file(const discovery::SourceFile& file, const Settings& settings,
                const AnalysisRequest& request, const std::function<void()>& lowered,
                Messages& messages, Analysis& analysis) {
  const cache::Texts texts = unsaved(request.opened);
  findings::SourceCache sources;
  for (const auto& [path, text] : texts) sources.add(path, text);
  ProjectCheck check(settings, request.base, messages, stop_after(settings.options.time_limit));
  check.read_texts(texts);
  check.expect_more();
  check.record_places();
  check.take_files({file});
  check.find_context();
  check.lower();
  lowered();
  ProgramFindings solved;
  if (!enabled_rules(settings.options).empty()) solved = check.solve();
  for (const auto& [program, reason] : solved.lost) messages.complain(program + ": " + reason);
  analysis.places = std::move(solved.places);
  findings::Report report = report_of(check.file_reports(), std::move(solved), request.base);
  settle(report, settings.options, sources);
  leave_out_known(settings.options, report, sources, messages);
  drop_foreign_fixes(check, report.findings);
  EditorPaths paths(request.opened);
  analysis.places.keep_files([&](const auto& each) { return paths.of(each) == file.path; });
  for (const findings::FileReport& each : report.files)
    if (each.path == file.path) analysis.doubt = findings::describe(each);
  for (Finding& finding : report.findings) {
    analysis.severities.push_back(findings::severity_of(report, finding));
    paths.rename(finding);
    analysis.findings.push_back(std::move(finding));
  }
  std::set<std::string> read;
  for (const std::string& each : check.read_files()) read.insert(paths.of(each));
  analysis.read_files.assign(read.begin(), read.end());
}

}  // namespace

Analysis analyze_document(const AnalysisRequest& request, const std::function<void()>& lowered) {
  Analysis analysis;
  Complaints complaints;
  if (const auto settings = settings_of(request, complaints)) {
    const auto file = source_file(request, settings->options);
    if (file) check_file(*file, *settings, request, lowered, complaints, analysis);
  } else {
    analysis.is_refused = true;
  }
  analysis.complaints = std::move(complaints.said);
  return analysis;
}

std::string bytes_of(const Analysis& analysis) {
  cache::FieldWriter out;
  SolvedProgram findings;
  findings.findings = analysis.findings;
  findings.places = analysis.places;
  out.text(placecheck::bytes_of(findings));
  for (rules::Severity each : analysis.severities) out.number(static_cast<uint64_t>(each));
  out.texts(analysis.read_files);
  out.texts(analysis.complaints);
  out.text(analysis.doubt);
  out.number(analysis.is_refused);
  return out.bytes();
}

std::optional<Analysis> analysis_from(llvm::StringRef bytes) {
  cache::FieldReader in(bytes);
  auto findings = solved_from(in.text());
  if (!findings) return std::nullopt;
  Analysis analysis;
  analysis.findings = std::move(findings->findings);
  analysis.places = std::move(findings->places);
  for (size_t i = 0; i < analysis.findings.size(); ++i)
    analysis.severities.push_back(static_cast<rules::Severity>(in.number()));
  in.texts(analysis.read_files);
  in.texts(analysis.complaints);
  analysis.doubt = in.text().str();
  analysis.is_refused = in.number() != 0;
  if (!in.ok()) return std::nullopt;
  return analysis;
}

}  // namespace placecheck::lsp
