#include "analyzer/project_check.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "analyzer/cache/store.h"
#include "analyzer/checks/analyze.h"
#include "analyzer/context.h"
#include "analyzer/dataflow/python_callers.h"
#include "analyzer/discovery/exclude.h"
#include "analyzer/findings/report.h"
#include "analyzer/ir/link.h"
#include "analyzer/scenarios.h"
#include "analyzer/unit_file.h"
#include "llvm/Support/FileSystem.h"

namespace placecheck {
namespace {

using Clock = std::chrono::steady_clock;

// What was read before a run was stopped is still worth so much.
constexpr std::chrono::seconds kLastMoment(5);

discovery::Request request_of(const Options& options, const std::string& base) {
  return {options.paths, base, options.exclude, options.exclude_root};
}

checks::AnalyzeOptions analyze_options(const Settings& settings) {
  checks::AnalyzeOptions options;
  for (std::string_view id : enabled_rules(settings.options)) options.rules.emplace(id);
  options.devices = static_cast<int>(settings.options.devices);
  options.models = settings.models.by_name.empty() ? nullptr : &settings.models;
  options.devices_given = settings.options.devices_given;
  options.shares_host_memory = settings.options.assumes("hmm");
  options.shares_peer_memory = settings.options.assumes("peers");
  options.trace_function = settings.options.trace_function;
  return options;
}

std::string real_path(const std::string& path) {
  llvm::SmallString<256> real;
  return llvm::sys::fs::real_path(path, real) ? path : std::string(real);
}

bool reads_any(const LoweredFile& file, const std::set<std::string>& names) {
  return std::ranges::any_of(file.unit->files,
                             [&](const std::string& each) { return names.count(each) != 0; });
}

}  // namespace

frontend::FlagOptions flag_options(const Options& options, const std::string& base) {
  frontend::FlagOptions wanted;
  if (!options.database_dir.empty())
    wanted.database_dir = discovery::absolute_path(options.database_dir, base);
  wanted.given_flags = options.compiler_flags;
  wanted.flags_given = options.compiler_flags_given;
  wanted.working_directory = base;
  wanted.extra_flags = options.config_flags;
  wanted.guesses = options.guesses_flags;
  if (!options.clang_headers.empty())
    wanted.clang_headers = discovery::absolute_path(options.clang_headers, base);
  if (!options.emit_unit.empty()) {
    // Where an action runs is all that it sees of the project.
    wanted.root = base;
    wanted.named_paths = {base};
    return wanted;
  }
  for (const std::string& path : options.paths)
    wanted.named_paths.push_back(discovery::absolute_path(path, base));
  return wanted;
}

std::string cache_folder(const Options& options, const std::string& base) {
  if (!options.cache) return {};
  return options.cache_dir.empty() ? cache::Store::default_folder()
                                   : discovery::absolute_path(options.cache_dir, base);
}

ProjectCheck::ProjectCheck(const Settings& settings, std::string base, Messages& messages,
                           std::function<bool()> should_stop)
    : settings_(settings),
      options_(settings.options),
      base_(std::move(base)),
      messages_(messages),
      should_stop_(std::move(should_stop)) {}

void ProjectCheck::find_files() {
  discovery::Discovery found = discovery::discover(request_of(options_, base_));
  named_files_ = std::move(found.files);
  scripts_ = std::move(found.scripts);
  for (const discovery::Note& note : found.notes) {
    bool says_path = note.path.empty() || note.message.find(note.path) != std::string::npos;
    std::string message = (says_path ? "" : note.path + ": ") + note.message;
    if (note.incomplete)
      messages_.complain(message);
    else
      messages_.mention(message);
  }
}

void ProjectCheck::find_context() {
  std::vector<std::string> paths;
  paths.reserve(named_files_.size());
  for (const discovery::SourceFile& file : named_files_) paths.push_back(file.path);
  flags_.emplace(frontend::CompileFlags::create(flag_options(options_, base_), paths));
  files_ = named_files_;
  const bool is_checked =
      options_.action != Action::kDumpIr && options_.action != Action::kEmitUnit;
  if (!options_.context || !is_checked) return;
  for (discovery::SourceFile& file :
       context_of(named_files_, request_of(options_, base_), *flags_)) {
    context_.insert(file.path);
    files_.push_back(std::move(file));
  }
}

LoweringOptions ProjectCheck::lowering_options() const {
  LoweringOptions lowering;
  lowering.jobs = options_.jobs;
  lowering.memory = options_.memory;
  lowering.file_seconds = options_.file_time_limit;
  lowering.file_memory = options_.file_memory;
  lowering.should_stop = should_stop_;
  // A build system keeps what its actions make, each by itself.
  lowering.with_imported = options_.action != Action::kEmitUnit;
  if (lowering.with_imported) lowering.cache_folder = cache_folder(options_, base_);
  lowering.replaced = texts_;
  lowering.comes_again = comes_again_;
  return lowering;
}

void ProjectCheck::lower(std::function<void(const std::string&)> progress) {
  LoweringOptions lowering = lowering_options();
  lowering.progress = std::move(progress);
  lowering.note = [&](const std::string& note) { messages_.mention(note); };
  lowered_ = lower_files(files_, flags(), lowering);
  for (LoweredFile& file : lowered_) file.is_context |= context_.count(file.report.path) != 0;
  find_headers();
}

bool ProjectCheck::read_units() {
  auto lowered = read_unit_files(options_.paths, base_);
  if (!lowered) {
    messages_.complain(llvm::toString(lowered.takeError()));
    return false;
  }
  lowered_ = std::move(*lowered);
  const discovery::Exclude excluded(options_.exclude, options_.exclude_root);
  for (const std::string& problem : excluded.problems()) messages_.mention(problem);
  std::erase_if(lowered_,
                [&](const LoweredFile& file) { return excluded.matches(file.report.path); });
  return true;
}

void ProjectCheck::find_headers() {
  headers_.clear();
  if (context_.empty()) return;
  std::map<std::string, std::set<std::string>> names;  // by real path
  std::set<std::string> checked;
  for (const std::string& file : read_files()) names[real_path(file)].insert(file);
  for (const LoweredFile& file : lowered_) {
    if (!file.is_context) checked.insert(file.unit->files.begin(), file.unit->files.end());
  }
  for (const discovery::SourceFile& header : named_files_) {
    const auto known = names.find(real_path(header.path));
    const bool is_read = header.language == discovery::Language::kHeader && known != names.end();
    if (is_read && std::ranges::none_of(known->second, [&](const std::string& name) {
          return checked.count(name) != 0;
        }))
      headers_[header.path] = known->second;
  }
}

bool ProjectCheck::is_wanted(const LoweredFile& file) const {
  return !file.is_context || std::ranges::any_of(headers_, [&](const auto& header) {
    return reads_any(file, header.second);
  });
}

std::vector<findings::FileReport> ProjectCheck::file_reports() const {
  std::vector<findings::FileReport> reports;
  for (const LoweredFile& file : lowered_)
    if (!file.is_context) reports.push_back(file.report);
  // As well as in the file that was understood best.
  for (const auto& [path, names] : headers_) {
    const findings::FileReport* best = nullptr;
    for (const LoweredFile& file : lowered_) {
      if (reads_any(file, names) && (!best || file.report.status < best->status))
        best = &file.report;
    }
    if (!best) continue;
    findings::FileReport report = *best;
    report.path = path;
    report.left_out.clear();
    reports.push_back(std::move(report));
  }
  return reports;
}

void ProjectCheck::mention_flags() {
  if (flags_) {
    for (const std::string& note : flags_->notes()) messages_.mention(note);
  }
  std::set<std::string> said;
  for (const LoweredFile& file : lowered_) {
    if (file.is_context) continue;
    for (const std::string& note : file.notes) {
      if (said.insert(note).second)
        messages_.mention(findings::relative_path(file.report.path, base_) + ": " + note);
    }
  }
}

std::set<std::string> ProjectCheck::read_files() const {
  std::set<std::string> read;
  for (const LoweredFile& file : lowered_)
    read.insert(file.unit->files.begin(), file.unit->files.end());
  return read;
}

std::set<std::string> ProjectCheck::checked_files() const {
  std::set<std::string> checked;
  for (const LoweredFile& file : lowered_) {
    if (!file.is_context) checked.insert(file.unit->files.begin(), file.unit->files.end());
  }
  for (const auto& [path, names] : headers_) checked.insert(names.begin(), names.end());
  return checked;
}

std::vector<discovery::Launch> ProjectCheck::find_launches() const {
  std::vector<std::string> programs;
  for (const discovery::SourceFile& file : named_files_) {
    if (file.language == discovery::Language::kPython) programs.push_back(file.path);
  }
  return programs.empty() ? std::vector<discovery::Launch>()
                          : discovery::find_launches(scripts_, programs, base_);
}

ProgramFindings ProjectCheck::solve() const {
  std::vector<const LoweredFile*> files;
  files.reserve(lowered_.size());
  for (const LoweredFile& file : lowered_) files.push_back(&file);
  return solve(files, texts_);
}

ProgramFindings ProjectCheck::solve(const std::vector<const LoweredFile*>& files,
                                    const cache::Texts* texts) const {
  std::vector<const ir::Unit*> units;
  std::set<const ir::Unit*> wanted;
  for (const LoweredFile* file : files) {
    units.push_back(file->unit.get());
    if (is_wanted(*file)) wanted.insert(file->unit.get());
  }
  std::vector<ir::Program> programs = ir::link(units);
  std::erase_if(programs, [&](const ir::Program& program) {
    return std::none_of(program.units.begin(), program.units.end(),
                        [&](const ir::Unit* unit) { return wanted.count(unit) != 0; });
  });
  const bool was_stopped = should_stop_();
  const Clock::time_point last_moment = Clock::now() + kLastMoment;
  auto is_over = [&] { return was_stopped ? Clock::now() > last_moment : should_stop_(); };
  checks::AnalyzeOptions wanted_facts = analyze_options(settings_);
  wanted_facts.record_places = records_places_;
  wanted_facts.python_callers = dataflow::callers_with_device(units);
  std::map<const ir::Unit*, std::string> digests;
  for (const LoweredFile* file : files) digests.emplace(file->unit.get(), file->digest);
  // What is found in texts that are not on disk is not kept.
  ProgramCache known(texts ? std::string() : cache_folder(options_, base_), std::move(digests));
  const std::vector<discovery::Launch> launches = find_launches();
  std::vector<ScenarioFindings> found;
  for (const Scenario& each : scenarios_of(options_, wanted_facts))
    found.push_back(
        {each.name, analyze_programs(programs, each.options,
                                     {options_.jobs, is_over, texts, launches, &known})});
  ProgramFindings result = merge_scenarios(std::move(found));
  const bool is_whole = headers_.empty() && wanted.size() == units.size();
  if (!is_whole) restrict_to(checked_files(), result);
  return result;
}

ProgramFindings ProjectCheck::solve_with(const cache::Texts& texts) const {
  std::set<std::string> changed;
  for (const LoweredFile& file : lowered_) {
    for (const std::string& each : file.unit->files) {
      if (texts.count(each) != 0) changed.insert(file.report.path);
    }
  }
  std::vector<discovery::SourceFile> files;
  std::ranges::copy_if(files_, std::back_inserter(files),
                       [&](const auto& file) { return changed.count(file.path) != 0; });
  LoweringOptions lowering = lowering_options();
  lowering.replaced = &texts;
  std::vector<LoweredFile> again = lower_files(files, flags(), lowering);
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
  return solve(all, &texts);
}

}  // namespace placecheck
