#include "analyzer/driver.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <set>

#include "analyzer/cache/store.h"
#include "analyzer/changes.h"
#include "analyzer/checks/analyze.h"
#include "analyzer/config.h"
#include "analyzer/context.h"
#include "analyzer/discovery/discovery.h"
#include "analyzer/discovery/exclude.h"
#include "analyzer/findings/baseline.h"
#include "analyzer/findings/finding.h"
#include "analyzer/findings/printable.h"
#include "analyzer/findings/report.h"
#include "analyzer/findings/source_cache.h"
#include "analyzer/findings/suppression.h"
#include "analyzer/fixing.h"
#include "analyzer/frontend/clang/compile_flags.h"
#include "analyzer/ir/link.h"
#include "analyzer/ir/print.h"
#include "analyzer/lowering.h"
#include "analyzer/models_file.h"
#include "analyzer/options.h"
#include "analyzer/output.h"
#include "analyzer/program_analysis.h"
#include "analyzer/progress.h"
#include "analyzer/why.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include "rules/catalog.h"
#include "rules/docs.h"

namespace placecheck {
namespace {

using Clock = std::chrono::steady_clock;
using findings::Finding;

constexpr std::chrono::seconds kLastMoment(5);

std::vector<std::string_view> rule_ids() {
  std::vector<std::string_view> ids;
  for (const rules::Rule& rule : rules::catalog()) ids.push_back(rule.id);
  return ids;
}

// Nothing for "off".
std::optional<rules::Severity> severity_named(std::string_view name) {
  for (rules::Severity each :
       {rules::Severity::kError, rules::Severity::kWarning, rules::Severity::kAdvice}) {
    if (rules::name(each) == name) return each;
  }
  return std::nullopt;
}

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
class Driver {
 public:
  Driver(llvm::raw_ostream& out, llvm::raw_ostream& err, Environment environment)
      : out_(out), err_(err), environment_(std::move(environment)) {}

  int run(const std::vector<std::string>& args);

 private:
  bool read_options(const std::vector<std::string>& args);
  bool read_config();
  bool answer_questions();
  int check_files();
  void find_files();
  std::string cache_folder() const;
  void clear_cache();
  LoweringOptions lowering_options();
  void lower();
  void dump_ir();
  void solve_programs();
  ProgramFindings solve(const std::vector<const LoweredFile*>& files);
  frontend::FlagOptions flag_options() const;
  int explain_why();
  void build_report();
  void report_coverage();
  void require_understanding();
  void choose_severities();
  void settle(findings::Report& report, findings::SourceCache& sources) const;
  bool keep_changes();
  std::set<std::string> fingerprints_before(const Changes& changes);
  bool apply_baselines();
  bool write_baseline(const findings::Baseline& baseline, const std::string& name);
  bool apply_fixes();
  bool emit();
  checks::AnalyzeOptions analyze_options() const;
  std::set<std::string> checked_files() const;
  bool should_stop();
  void say_losses();
  int exit_code() const;

  void complain(const std::string& message) {
    err_ << "placecheck: " << findings::printable_text(message) << '\n';
    is_incomplete_ = true;
  }
  void mention(const std::string& message) {
    if (!options_.quiet) warn(message);
  }
  // Said with --quiet too.
  void warn(const std::string& message) {
    err_ << "placecheck: note: " << findings::printable_text(message) << '\n';
  }

  llvm::raw_ostream& out_;
  llvm::raw_ostream& err_;
  Environment environment_;
  std::string base_ = discovery::working_directory();
  Options options_;
  Clock::time_point start_ = Clock::now();
  bool is_incomplete_ = false;
  bool is_cut_short_ = false;  // what was asked for was begun and not ended
  std::string stopped_by_;
  std::vector<discovery::SourceFile> files_;
  std::vector<discovery::SourceFile> all_files_;  // with those of their programs
  std::optional<frontend::CompileFlags> flags_;
  std::vector<LoweredFile> lowered_;
  std::string trace_;
  models::UserModels models_;
  dataflow::Coverage coverage_;
  findings::Report report_;
  std::set<std::pair<std::string, std::string>> turned_off_;  // by rule and file
  findings::SourceCache sources_;
};

bool Driver::read_config() {
  std::string path = options_.config.empty() ? find_config(base_)
                                             : discovery::absolute_path(options_.config, base_);
  if (path.empty()) return true;
  ConfigResult result = load_config(path);
  if (!result.error.empty()) {
    complain(result.error);
    return false;
  }
  apply_config(result.config, options_);
  return true;
}

bool Driver::read_options(const std::vector<std::string>& args) {
  ParsedOptions parsed = parse_options(args);
  options_ = std::move(parsed.options);
  for (const std::string& error : parsed.errors) complain(error);
  if (!parsed.errors.empty()) return false;
  if (options_.action == Action::kHelp || options_.action == Action::kVersion) return true;
  if (options_.action != Action::kListRules && options_.action != Action::kExplain &&
      !read_config()) {
    return false;
  }
  std::vector<std::string> errors = check_rule_names(options_, rule_ids());
  for (const std::string& file : options_.models) {
    std::string error = load_models(discovery::absolute_path(file, base_), models_);
    if (!error.empty()) errors.push_back(std::move(error));
  }
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

void Driver::find_files() {
  discovery::Discovery found =
      discovery::discover({options_.paths, base_, options_.exclude, options_.exclude_root});
  files_ = std::move(found.files);
  for (const discovery::Note& note : found.notes) {
    bool says_path = note.path.empty() || note.message.find(note.path) != std::string::npos;
    std::string message = (says_path ? "" : note.path + ": ") + note.message;
    if (note.incomplete) {
      complain(message);
    } else {
      mention(message);
    }
  }
}

// Empty: nothing is kept between runs.
std::string Driver::cache_folder() const {
  if (!options_.cache) return {};
  return options_.cache_dir.empty() ? cache::Store::default_folder()
                                    : discovery::absolute_path(options_.cache_dir, base_);
}

void Driver::clear_cache() {
  std::string folder = options_.cache_dir.empty()
                           ? cache::Store::default_folder()
                           : discovery::absolute_path(options_.cache_dir, base_);
  if (!cache::Store::clear(folder)) complain("cannot clear the cache in '" + folder + "'");
}

frontend::FlagOptions Driver::flag_options() const {
  frontend::FlagOptions wanted;
  if (!options_.database_dir.empty()) {
    wanted.database_dir = discovery::absolute_path(options_.database_dir, base_);
  }
  wanted.given_flags = options_.compiler_flags;
  wanted.flags_given = options_.compiler_flags_given;
  wanted.extra_flags = options_.config_flags;
  for (const std::string& path : options_.paths) {
    wanted.named_paths.push_back(discovery::absolute_path(path, base_));
  }
  return wanted;
}

int Driver::explain_why() {
  std::string path = discovery::absolute_path(options_.why_file, base_);
  if (!llvm::sys::fs::is_regular_file(path)) {
    complain("cannot read '" + options_.why_file + "': there is no such file");
    return kExitIncomplete;
  }
  frontend::FlagOptions wanted = flag_options();
  if (wanted.named_paths.empty()) wanted.named_paths.push_back(path);
  auto flags = frontend::CompileFlags::create(std::move(wanted), {path});
  for (const std::string& note : flags.notes()) mention(note);
  return explain_file(path, flags, base_, {options_.file_time_limit, options_.file_memory}, out_)
             ? kExitClean
             : kExitIncomplete;
}

LoweringOptions Driver::lowering_options() {
  LoweringOptions lowering;
  lowering.jobs = options_.jobs;
  lowering.memory = options_.memory;
  lowering.file_seconds = options_.file_time_limit;
  lowering.file_memory = options_.file_memory;
  lowering.should_stop = [this] { return should_stop(); };
  lowering.cache_folder = cache_folder();
  return lowering;
}

void Driver::lower() {
  std::vector<std::string> paths;
  for (const discovery::SourceFile& file : files_) paths.push_back(file.path);
  flags_.emplace(frontend::CompileFlags::create(flag_options(), paths));
  const frontend::CompileFlags& flags = *flags_;
  std::vector<discovery::SourceFile>& files = all_files_;
  files = files_;
  std::set<std::string> context;
  if (options_.context && options_.action != Action::kDumpIr) {
    discovery::Request project{options_.paths, base_, options_.exclude, options_.exclude_root};
    for (discovery::SourceFile& file : context_of(files_, project, flags)) {
      context.insert(file.path);
      files.push_back(std::move(file));
    }
  }
  Progress progress(err_, environment_.err_is_terminal && !options_.quiet, files.size(),
                    llvm::sys::Process::StandardErrColumns());
  LoweringOptions lowering = lowering_options();
  lowering.progress = [&](const std::string& file) { progress.step(file); };
  lowering.note = [&](const std::string& note) { mention(note); };
  lowered_ = lower_files(files, flags, lowering);
  for (LoweredFile& file : lowered_) file.is_context |= context.count(file.report.path) != 0;
  progress.clear();
  for (const std::string& note : flags.notes()) mention(note);
  std::set<std::string> said;
  for (const LoweredFile& file : lowered_) {
    if (file.is_context) continue;
    for (const std::string& note : file.notes) {
      if (said.insert(note).second) {
        mention(findings::relative_path(file.report.path, base_) + ": " + note);
      }
    }
  }
}

void Driver::dump_ir() {
  for (const LoweredFile& file : lowered_) {
    report_.files.push_back(file.report);
    std::string doubt = findings::describe(file.report);
    if (!doubt.empty()) {
      complain(findings::relative_path(file.report.path, base_) + ": " + doubt);
    }
    ir::print(out_, *file.unit);
  }
}

checks::AnalyzeOptions Driver::analyze_options() const {
  checks::AnalyzeOptions options;
  for (std::string_view id : rule_ids()) {
    if (rule_enabled(options_, id)) options.rules.emplace(id);
  }
  options.devices = static_cast<int>(options_.devices);
  options.models = models_.by_name.empty() ? nullptr : &models_;
  options.devices_given = options_.devices_given;
  options.shares_host_memory = options_.assumes("hmm");
  options.shares_peer_memory = options_.assumes("peers");
  options.trace_function = options_.trace_function;
  return options;
}

// What the user named, and the headers that it includes.
std::set<std::string> Driver::checked_files() const {
  std::set<std::string> checked;
  for (const LoweredFile& file : lowered_) {
    if (file.is_context) continue;
    checked.insert(file.unit->files.begin(), file.unit->files.end());
  }
  return checked;
}

void Driver::solve_programs() {
  // No rule wanted is not every rule wanted.
  if (analyze_options().rules.empty() && options_.action == Action::kCheck) return;
  std::vector<const LoweredFile*> files;
  for (const LoweredFile& file : lowered_) files.push_back(&file);
  ProgramFindings result = solve(files);
  report_.findings = std::move(result.findings);
  trace_ = std::move(result.trace);
  coverage_ = std::move(result.coverage);
  for (const auto& [program, reason] : result.lost) {
    complain(findings::relative_path(program, base_) + ": " + reason);
    is_cut_short_ = true;
  }
  report_.too_large = std::move(result.too_large);
  for (const auto& [file, line, name] : coverage_.too_large)
    report_.large_functions.push_back({name, file, line});
  for (const std::string& name : report_.too_large) {
    warn(findings::relative_path(name, base_) +
         ": too large to follow every path; what was left out is not reported");
  }
}

ProgramFindings Driver::solve(const std::vector<const LoweredFile*>& files) {
  std::vector<const ir::Unit*> units;
  std::set<const ir::Unit*> wanted;
  for (const LoweredFile* file : files) {
    units.push_back(file->unit.get());
    if (!file->is_context) wanted.insert(file->unit.get());
  }
  std::vector<ir::Program> programs = ir::link(units);
  std::erase_if(programs, [&](const ir::Program& program) {
    return std::none_of(program.units.begin(), program.units.end(),
                        [&](const ir::Unit* unit) { return wanted.count(unit) != 0; });
  });
  // What was read before the run was stopped is still worth a moment.
  const bool was_stopped = should_stop();
  const Clock::time_point last_moment = Clock::now() + kLastMoment;
  auto is_over = [&] { return was_stopped ? Clock::now() > last_moment : should_stop(); };
  ProgramFindings result = analyze_programs(programs, analyze_options(), {options_.jobs, is_over});
  if (wanted.size() != units.size()) restrict_to(checked_files(), result);
  return result;
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
  for (const LoweredFile& file : lowered_) {
    if (file.is_context) continue;
    std::string path = findings::relative_path(file.report.path, base_);
    if (file.is_lost && stopped_by_.empty()) complain(path + ": " + file.report.first_error);
    is_cut_short_ |= file.is_lost;
    for (const std::string& each : file.report.left_out)
      complain(path + ": a function was left out, " + each);
  }
}

void Driver::report_coverage() {
  for (const auto& [file, sites] : coverage_.operations) {
    auto is_known = [](const auto& site) { return site.second; };
    auto known = std::count_if(sites.begin(), sites.end(), is_known);
    report_.coverage.push_back({file, sites.size(), static_cast<size_t>(known)});
  }
  for (const auto& [name, count] : coverage_.unmodelled)
    report_.unmodelled.push_back({name, count});
  std::stable_sort(report_.unmodelled.begin(), report_.unmodelled.end(),
                   [](const auto& a, const auto& b) { return a.count > b.count; });
}

void Driver::build_report() {
  report_.root = base_;
  report_coverage();
  for (LoweredFile& file : lowered_) {
    if (file.is_context) continue;
    is_incomplete_ |= file.report.status == findings::Understanding::kNot;
    report_.files.push_back(file.report);
  }
  require_understanding();
  settle(report_, sources_);
  choose_severities();
}

// Suppressions and order.
void Driver::settle(findings::Report& report, findings::SourceCache& sources) const {
  findings::order_and_deduplicate(report.findings);
  std::vector<std::string_view> active;
  for (std::string_view id : rule_ids()) {
    if (rule_enabled(options_, id)) active.push_back(id);
  }
  findings::apply_suppressions(report, active, sources);
  findings::order_and_deduplicate(report.findings);
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

// What the configuration says of rules and files; findings that it turns off are dropped.
void Driver::choose_severities() {
  for (const ChosenSeverity& chosen : options_.severities) {
    const discovery::Exclude paths(chosen.paths, options_.exclude_root);
    for (const std::string& problem : paths.problems()) mention(problem);
    const auto severity = severity_named(chosen.severity);
    for (const Finding& finding : report_.findings) {
      const bool fits = finding.rule == chosen.rule &&
                        (chosen.paths.empty() || paths.matches(finding.range.file));
      if (!fits) continue;
      const std::pair key(finding.rule, finding.range.file);
      turned_off_.erase(key);
      report_.severities.erase(key);
      if (severity)
        report_.severities[key] = *severity;
      else
        turned_off_.insert(key);
    }
  }
  std::erase_if(report_.findings, [&](const Finding& finding) {
    return turned_off_.count({finding.rule, finding.range.file}) != 0;
  });
}

// Removes what neither lies on changed lines nor is new since the revision.
bool Driver::keep_changes() {
  if (options_.changed_since.empty()) return true;
  std::set<std::string> files;
  for (const LoweredFile& file : lowered_)
    files.insert(file.unit->files.begin(), file.unit->files.end());
  const std::string folder = files_.empty() ? base_ : parent_folder(files_.front().path);
  auto changes = Changes::since(options_.changed_since, folder, files, sources_);
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

// What the run would have found at the revision: only the files that read a changed one are lowered
// again.
std::set<std::string> Driver::fingerprints_before(const Changes& changes) {
  const auto& texts = changes.old_texts();
  std::set<std::string> changed;
  for (const LoweredFile& file : lowered_) {
    for (const std::string& each : file.unit->files) {
      if (texts.count(each) != 0) changed.insert(file.report.path);
    }
  }
  std::vector<discovery::SourceFile> files;
  std::ranges::copy_if(all_files_, std::back_inserter(files),
                       [&](const auto& file) { return changed.count(file.path) != 0; });
  LoweringOptions lowering = lowering_options();
  lowering.replaced = &texts;
  std::vector<LoweredFile> again = lower_files(files, *flags_, lowering);
  std::set<std::string> context;
  std::vector<const LoweredFile*> all;
  for (const LoweredFile& file : lowered_) {
    if (file.is_context) context.insert(file.report.path);
    if (changed.count(file.report.path) == 0) all.push_back(&file);
  }
  for (LoweredFile& file : again) {
    file.is_context = context.count(file.report.path) != 0;
    all.push_back(&file);
  }
  findings::SourceCache sources;
  for (const auto& [path, text] : texts) sources.add(path, text);
  findings::Report report;
  report.root = base_;
  report.files = report_.files;
  report.findings = solve(all).findings;
  settle(report, sources);
  std::erase_if(report.findings, [&](const Finding& finding) {
    return turned_off_.count({finding.rule, finding.range.file}) != 0;
  });
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
    const size_t gone = known->shrink(report_, checked_files(), sources_);
    if (gone != 0 && !write_baseline(*known, options_.baseline)) return false;
    if (gone != 0)
      mention("baseline '" + options_.baseline + "': " + std::to_string(gone) + " fixed, " +
              std::to_string(known->size()) + " left");
  }
  findings::apply_baseline(*known, report_, sources_);
  return true;
}

// --fix and --fix-dry-run. Whether the dry run has printed all there is to say.
bool Driver::apply_fixes() {
  if (options_.fix == FixMode::kNone && !options_.fix_dry_run) return false;
  const std::set<std::string> checked = checked_files();
  const auto scope =
      options_.fix == FixMode::kAll ? findings::FixScope::kAll : findings::FixScope::kSafe;
  const findings::FixPlan plan = findings::plan_fixes(
      report_, scope,
      [&](const std::string& file) {
        return checked.count(file) != 0 && !flags_->is_external_header(file);
      },
      sources_);
  for (const Finding* finding : plan.refused)
    warn(place_of(*finding, base_) + ": not fixed, for another fix changes the same text [" +
         finding->rule + "]");
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
  find_files();
  lower();
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
  return options_.action == Action::kWhy ? explain_why() : check_files();
}

}  // namespace

int run(const std::vector<std::string>& args, llvm::raw_ostream& out, llvm::raw_ostream& err,
        Environment environment) {
  return Driver(out, err, std::move(environment)).run(args);
}

}  // namespace placecheck
