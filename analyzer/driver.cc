#include "analyzer/driver.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "analyzer/cache/store.h"
#include "analyzer/changes.h"
#include "analyzer/config.h"
#include "analyzer/discovery/discovery.h"
#include "analyzer/files/regular_file.h"
#include "analyzer/findings/baseline.h"
#include "analyzer/findings/finding.h"
#include "analyzer/findings/printable.h"
#include "analyzer/findings/report.h"
#include "analyzer/findings/source_cache.h"
#include "analyzer/fixing.h"
#include "analyzer/frontend/clang/compile_flags.h"
#include "analyzer/ir/print.h"
#include "analyzer/lsp/serve.h"
#include "analyzer/messages.h"
#include "analyzer/options.h"
#include "analyzer/output.h"
#include "analyzer/progress.h"
#include "analyzer/project_check.h"
#include "analyzer/project_report.h"
#include "analyzer/settings.h"
#include "analyzer/unit_file.h"
#include "analyzer/why.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include "rules/docs.h"

namespace placecheck {
namespace {

using Clock = std::chrono::steady_clock;
using findings::Finding;

// Whether a finding of this severity fails a run with --fail-on=`level`.
bool reaches(rules::Severity severity, std::string_view level) {
  if (level == "never") return false;
  // From the gravest down, as they are declared.
  return severity <= severity_named(level).value_or(rules::Severity::kAdvice);
}

std::string parent_folder(const std::string& file) {
  return llvm::sys::path::parent_path(file).str();
}

// One run; the steps fill in the members from top to bottom.
class Driver : private Messages {
 public:
  Driver(llvm::raw_ostream& out, llvm::raw_ostream& err, Environment environment)
      : out_(out), err_(err), environment_(std::move(environment)) {}

  int run(const std::vector<std::string>& args);

 private:
  bool read_options(const std::vector<std::string>& args);
  bool answer_questions();
  int check_files();
  void clear_cache();
  void lower();
  int emit_unit();
  void dump_ir();
  void solve_programs();
  int explain_why();
  void build_report();
  void require_understanding();
  bool keep_changes();
  std::set<std::string> fingerprints_before(const Changes& changes);
  bool apply_baselines();
  bool write_baseline(const findings::Baseline& baseline, const std::string& name);
  bool may_fix(const std::string& file, const std::set<std::string>& checked) const;
  bool apply_fixes();
  bool emit();
  bool should_stop();
  void say_losses();
  int exit_code() const;

  void complain(const std::string& message) override {
    err_ << "placecheck: " << findings::printable_text(message) << '\n';
    is_incomplete_ = true;
  }
  void mention(const std::string& message) override {
    if (!options_.quiet) warn(message);
  }
  void warn(const std::string& message) override {
    err_ << "placecheck: note: " << findings::printable_text(message) << '\n';
  }

  llvm::raw_ostream& out_;
  llvm::raw_ostream& err_;
  Environment environment_;
  std::string base_ = discovery::working_directory();
  Settings settings_;
  Options& options_ = settings_.options;
  Clock::time_point start_ = Clock::now();
  bool is_incomplete_ = false;
  bool is_cut_short_ = false;  // what was asked for was begun and not ended
  std::string stopped_by_;
  ProjectCheck check_{settings_, base_, *this, [this] { return should_stop(); }};
  ProgramFindings solved_;
  std::string trace_;
  findings::Report report_;
  findings::SourceCache sources_;
};

bool Driver::read_options(const std::vector<std::string>& args) {
  ParsedOptions parsed = parse_options(args);
  options_ = std::move(parsed.options);
  std::vector<std::string> errors = std::move(parsed.errors);
  if (errors.empty()) {
    if (options_.action == Action::kHelp || options_.action == Action::kVersion) return true;
    // A server reads those of its documents' folders.
    const bool needs_config = options_.action != Action::kListRules &&
                              options_.action != Action::kExplain &&
                              options_.action != Action::kServe;
    if (needs_config) errors = read_config(options_, base_);
  }
  if (errors.empty()) errors = complete(settings_, base_);
  for (const std::string& error : errors) complain(error);
  return errors.empty();
}

// Whether the question was all there was to do.
bool Driver::answer_questions() {
  switch (options_.action) {
    case Action::kHelp:
      out_ << help_text();
      return true;
    case Action::kVersion:
      out_ << version_text(environment_.commit);
      return true;
    case Action::kListRules:
      out_ << rule_list();
      return true;
    case Action::kExplain:
      out_ << rules::page(options_.explain_rule);
      return true;
    case Action::kDumpConfig:
      out_ << dump_config(options_);
      return true;
    default:
      return false;
  }
}

void Driver::clear_cache() {
  std::string folder = options_.cache_dir.empty()
                           ? cache::Store::default_folder()
                           : discovery::absolute_path(options_.cache_dir, base_);
  if (!cache::Store::clear(folder)) complain("cannot clear the cache in '" + folder + "'");
}

int Driver::explain_why() {
  std::string path = discovery::absolute_path(options_.why_file, base_);
  if (!llvm::sys::fs::is_regular_file(path)) {
    complain("cannot read '" + options_.why_file + "': there is no such file");
    return kExitIncomplete;
  }
  frontend::FlagOptions wanted = flag_options(options_, base_);
  if (wanted.named_paths.empty()) wanted.named_paths.push_back(path);
  auto flags = frontend::CompileFlags::create(std::move(wanted), {path});
  for (const std::string& note : flags.notes()) mention(note);
  return explain_file(path, flags, base_, {options_.file_time_limit, options_.file_memory}, out_)
             ? kExitClean
             : kExitIncomplete;
}

void Driver::lower() {
  check_.find_context();
  Progress progress(err_, environment_.err_is_terminal && !options_.quiet, check_.files().size(),
                    llvm::sys::Process::StandardErrColumns());
  check_.lower([&](const std::string& file) { progress.step(file); });
  progress.clear();
}

// For a build system: what is said of the files is in what is written, and is said by whoever
// checks that.
int Driver::emit_unit() {
  check_.find_files();
  if (is_incomplete_) return kExitIncomplete;
  lower();
  say_losses();
  if (is_cut_short_) return kExitIncomplete;
  const std::string error = write_file(discovery::absolute_path(options_.emit_unit, base_),
                                       unit_file_bytes(check_.lowered(), base_));
  if (!error.empty()) complain(error);
  return error.empty() ? kExitClean : kExitIncomplete;
}

void Driver::dump_ir() {
  for (const LoweredFile& file : check_.lowered()) {
    report_.files.push_back(file.report);
    std::string doubt = findings::describe(file.report);
    if (!doubt.empty()) {
      complain(findings::relative_path(file.report.path, base_) + ": " + doubt);
    }
    ir::print(out_, *file.unit);
  }
}

void Driver::solve_programs() {
  // No rule wanted is not every rule wanted.
  if (enabled_rules(options_).empty() && options_.action == Action::kCheck) return;
  if (options_.format == OutputFormat::kHtml) check_.record_places();
  solved_ = check_.solve();
  trace_ = std::move(solved_.trace);
  for (const auto& [program, reason] : solved_.lost) {
    complain(findings::relative_path(program, base_) + ": " + reason);
    is_cut_short_ = true;
  }
  for (const std::string& name : solved_.too_large) {
    warn(findings::relative_path(name, base_) +
         ": too large to follow every path; what was left out is not reported");
  }
}

bool Driver::should_stop() {
  if (!stopped_by_.empty()) return true;
  std::chrono::seconds limit(options_.time_limit);
  if (environment_.is_interrupted && environment_.is_interrupted())
    stopped_by_ = "a signal";
  else if (limit.count() != 0 && Clock::now() - start_ > limit)
    stopped_by_ = "its time limit of " + std::to_string(limit.count()) + " s";
  return !stopped_by_.empty();
}

// What a quiet run must say too, for it is not done with these files.
void Driver::say_losses() {
  if (!stopped_by_.empty()) {
    is_cut_short_ = true;
    complain("stopped by " + stopped_by_ + "; what follows is what was known by then");
  }
  for (const LoweredFile& file : check_.lowered()) {
    if (file.is_context) continue;
    std::string path = findings::relative_path(file.report.path, base_);
    if (file.is_lost && stopped_by_.empty()) complain(path + ": " + file.report.first_error);
    is_cut_short_ |= file.is_lost;
    if (options_.action == Action::kEmitUnit) continue;
    for (const std::string& each : file.report.left_out)
      complain(path + ": a function was left out, " + each);
  }
}

void Driver::build_report() {
  report_ = report_of(check_.file_reports(), std::move(solved_), base_);
  for (const findings::FileReport& file : report_.files)
    is_incomplete_ |= file.status == findings::Understanding::kNot;
  require_understanding();
  settle(report_, options_, sources_);
  for (const std::string& problem : severity_problems(options_)) mention(problem);
}

void Driver::require_understanding() {
  if (!options_.require_understanding) return;
  const findings::Totals sum = findings::totals(report_);
  if (options_.required_percent == 0) {
    is_incomplete_ |= sum.partly > 0 || !report_.too_large.empty();
    return;
  }
  const unsigned known = findings::known_percent(sum);
  if (known >= options_.required_percent) return;
  complain("places are known at " + std::to_string(known) + " % of the operations, less than the " +
           std::to_string(options_.required_percent) + " % of --require-understanding");
}

// Removes what neither lies on changed lines nor is new since the revision.
bool Driver::keep_changes() {
  if (options_.changed_since.empty()) return true;
  const auto& named = check_.named_files();
  const std::string folder = named.empty() ? base_ : parent_folder(named.front().path);
  auto changes = Changes::since(options_.changed_since, folder, check_.read_files(), sources_);
  if (!changes) {
    complain(llvm::toString(changes.takeError()));
    return false;
  }
  const std::vector<std::string> prints = findings::fingerprints(report_, sources_);
  std::set<std::string> before;
  const bool all_touched = std::ranges::all_of(
      report_.findings, [&](const Finding& finding) { return changes->touches(finding); });
  if (!all_touched) before = fingerprints_before(*changes);
  std::vector<Finding> kept;
  for (size_t i = 0; i < prints.size(); ++i) {
    Finding& finding = report_.findings[i];
    if (changes->touches(finding) || before.count(prints[i]) == 0)
      kept.push_back(std::move(finding));
  }
  report_.unchanged = report_.findings.size() - kept.size();
  report_.findings = std::move(kept);
  return true;
}

// What the run would have found at the revision.
std::set<std::string> Driver::fingerprints_before(const Changes& changes) {
  findings::SourceCache sources;
  for (const auto& [path, text] : changes.old_texts()) sources.add(path, text);
  findings::Report report;
  report.root = base_;
  report.files = report_.files;
  report.findings = check_.solve_with(changes.old_texts()).findings;
  settle(report, options_, sources);
  std::vector<std::string> prints = findings::fingerprints(report, sources);
  return {prints.begin(), prints.end()};
}

bool Driver::write_baseline(const findings::Baseline& baseline, const std::string& name) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  baseline.write(stream);
  const std::string error = write_file(discovery::absolute_path(name, base_), text);
  if (!error.empty()) complain(error);
  return error.empty();
}

bool Driver::apply_baselines() {
  if (!options_.write_baseline.empty() &&
      !write_baseline(findings::Baseline(report_, sources_), options_.write_baseline)) {
    return false;
  }
  if (options_.baseline.empty()) return true;
  auto known = findings::Baseline::read_file(discovery::absolute_path(options_.baseline, base_));
  if (!known) {
    complain(llvm::toString(known.takeError()));
    return false;
  }
  // What a run that was cut short did not find may well be there.
  if (options_.update_baseline && !is_cut_short_) {
    const size_t gone = known->shrink(report_, check_.checked_files(), sources_);
    if (gone != 0 && !write_baseline(*known, options_.baseline)) return false;
    if (gone != 0)
      mention("baseline '" + options_.baseline + "': " + std::to_string(gone) + " fixed, " +
              std::to_string(known->size()) + " left");
  }
  findings::apply_baseline(*known, report_, sources_);
  return true;
}

// A link in a project may lead out of it; only the user may ask for what is there.
bool Driver::may_fix(const std::string& file, const std::set<std::string>& checked) const {
  if (checked.count(file) == 0 || check_.flags().is_external_header(file)) return false;
  const bool is_named = std::ranges::any_of(
      check_.named_files(), [&](const auto& each) { return each.named && each.path == file; });
  return is_named || files::leads_below(file, check_.flags().project_root(file));
}

// --fix and --fix-dry-run. Whether the dry run has printed all there is to say.
bool Driver::apply_fixes() {
  if (options_.fix == FixMode::kNone && !options_.fix_dry_run) return false;
  const std::set<std::string> checked = check_.checked_files();
  const auto scope =
      options_.fix == FixMode::kAll ? findings::FixScope::kAll : findings::FixScope::kSafe;
  const findings::FixPlan plan = findings::plan_fixes(
      report_, scope, [&](const std::string& file) { return may_fix(file, checked); }, sources_);
  for (const findings::RefusedFix& each : plan.refused)
    warn(place_of(*each.finding, base_) + ": not fixed, for " + std::string(each.reason) + " [" +
         each.finding->rule + "]");
  if (options_.fix_dry_run) {
    out_ << diff_of(plan, base_, sources_);
    return true;
  }
  for (const std::string& error : write_fixes(plan, report_, sources_)) complain(error);
  if (report_.fixed > 0) mention(std::to_string(report_.fixed) + " fixed");
  return false;
}

bool Driver::emit() {
  bool use_color = options_.color == ColorMode::kAlways ||
                   (options_.color == ColorMode::kAuto && environment_.out_is_terminal &&
                    options_.output.empty());
  std::string text =
      options_.action == Action::kTrace ? trace_ : render(report_, options_, use_color, sources_);
  if (options_.output.empty()) {
    out_ << text;
    return true;
  }
  std::string error = write_file(discovery::absolute_path(options_.output, base_), text);
  if (!error.empty()) complain(error);
  return error.empty();
}

int Driver::check_files() {
  if (options_.clear_cache) clear_cache();
  if (options_.paths.empty()) return is_incomplete_ ? kExitIncomplete : kExitClean;
  if (options_.action == Action::kEmitUnit) return emit_unit();
  if (!options_.units) {
    check_.find_files();
    lower();
  } else if (!check_.read_units()) {
    return kExitIncomplete;
  }
  check_.mention_flags();
  if (options_.action == Action::kDumpIr) {
    dump_ir();
    return is_incomplete_ ? kExitIncomplete : kExitClean;
  }
  solve_programs();
  say_losses();
  build_report();
  if (!keep_changes() || !apply_baselines()) return kExitIncomplete;
  if (!apply_fixes() && !emit()) return kExitIncomplete;
  return exit_code();
}

int Driver::exit_code() const {
  if (is_cut_short_) return kExitIncomplete;
  const bool fails = std::ranges::any_of(report_.findings, [&](const Finding& finding) {
    return reaches(findings::severity_of(report_, finding), options_.fail_on);
  });
  if (fails && options_.action == Action::kCheck) return kExitFindings;
  return is_incomplete_ ? kExitIncomplete : kExitClean;
}

int Driver::run(const std::vector<std::string>& args) {
  if (!read_options(args)) return kExitIncomplete;
  if (answer_questions()) return kExitClean;
  if (options_.action == Action::kServe) {
    return lsp::serve(options_, base_, version_number(), environment_.in, out_,
                      environment_.is_interrupted);
  }
  return options_.action == Action::kWhy ? explain_why() : check_files();
}

}  // namespace

int run(const std::vector<std::string>& args, llvm::raw_ostream& out, llvm::raw_ostream& err,
        Environment environment) {
  return Driver(out, err, std::move(environment)).run(args);
}

}  // namespace placecheck
