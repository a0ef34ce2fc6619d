#include "analyzer/lowering.h"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "analyzer/cache/file_facts.h"
#include "analyzer/cache/store.h"
#include "analyzer/cache/version.h"
#include "analyzer/files/plain_paths.h"
#include "analyzer/frontend/clang/header_cache.h"
#include "analyzer/frontend/clang/lower.h"
#include "analyzer/frontend/clang/shims.h"
#include "analyzer/frontend/python/lower.h"
#include "analyzer/ir/verify.h"
#include "analyzer/unit_cache.h"
#include "analyzer/worker_pool.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"

namespace placecheck {
namespace {

using cache::Texts;
using discovery::Language;
using discovery::SourceFile;
using findings::Understanding;

// MB for a file that includes all of libtorch.
constexpr uint64_t kParseMemory = 500;

Understanding understanding_of(const frontend::LowerResult& result) {
  switch (result.understanding) {
    case frontend::Understanding::kFull:
      return Understanding::kFully;
    case frontend::Understanding::kPartly:
      return Understanding::kPartly;
    case frontend::Understanding::kNone:
      break;
  }
  return Understanding::kNot;
}

// The front end adds options before the file, where a "--" would make files of them.
void drop_separator(std::vector<std::string>& args) {
  if (args.size() >= 2 && args[args.size() - 2] == "--") args.erase(args.end() - 2);
}

// What is kept between runs, as this run sees it.
struct Caches {
  Caches(const LoweringOptions& options, size_t files)
      : store(options.cache_folder, cache::build_identity()),
        facts(options.replaced),
        headers(store, facts, files > 1 || options.comes_again),
        units(store, facts, headers) {}

  cache::Store store;
  cache::FileFacts facts;
  frontend::HeaderCache headers;
  UnitCache units;
};

// Python has no command line: imports are looked for from the file's folder on.
frontend::CompileCommand command_for(const SourceFile& file, const frontend::CompileFlags& flags) {
  if (file.language != Language::kPython) return flags.for_file(file.path);
  frontend::CompileCommand command;
  command.directory = llvm::sys::path::parent_path(file.path).str();
  command.args = {"python", file.path};
  return command;
}

// What is not on disk is kept apart, so that it takes no entry from what is.
std::string key_of_texts(const std::string& key) { return cache::digest(key + "/texts"); }

LoweredUnit parse(const SourceFile& file, const frontend::CompileFlags& flags,
                  const frontend::CompileCommand& command, const std::string& key, Caches& caches,
                  const Texts* replaced) {
  cache::FileLog log;
  frontend::LowerInput input = lower_input(file.path, flags, command, log, replaced);
  frontend::HeaderUse use;
  bool is_python = file.language == Language::kPython;
  // A shared header is made from what is on disk.
  const bool is_replaced = replaced && std::ranges::any_of(*replaced, [&](const auto& text) {
                             return input.is_external(text.first);
                           });
  if (!is_python && !is_replaced) input.header = caches.headers.find(input, use);
  // A header that was built on the way is other files' too.
  if (input.header) restart_job_clock();
  LoweredUnit lowered{is_python ? frontend::python::lower_file(input) : frontend::lower_file(input),
                      {}};
  if (!lowered.result.over_header) use = {};
  lowered.left_out = leave_out_unsound(lowered.result.unit);
  if (!lowered.result.crashed)
    lowered.digest =
        caches.units.keep(log.has_texts ? key_of_texts(key) : key, input, log, use, lowered);
  return lowered;
}

// A parse that came to an end at its limits would end there again.
std::string key_of_limits(const std::string& key, const JobLimits& limits) {
  return cache::digest(key + "/limits " + std::to_string(limits.seconds) + " " +
                       std::to_string(limits.memory));
}

// Keeps why there is no unit of a C++ file, for as long as nothing changes that its parse reads.
void keep_loss(const SourceFile& file, const frontend::CompileFlags& flags,
               const frontend::CompileCommand& command, const std::string& key,
               const std::string& loss, Caches& caches) {
  cache::FileLog log;
  frontend::LowerInput input = lower_input(file.path, flags, command, log);
  frontend::preprocess_file(input);
  LoweredUnit nothing;
  nothing.result.first_error = loss;
  (void)caches.units.keep(key, input, log, {}, nothing);
}

// One file on its way through the caches and the front end.
struct Task {
  const SourceFile* file = nullptr;
  frontend::CompileCommand command;
  std::string key;
  std::optional<LoweredUnit> unit;
  std::string loss;    // why there is no unit
  std::string header;  // what its parse may share; empty: nothing
};

LoweredFile result_of(Task task) {
  const std::string& path = task.file->path;
  LoweredFile lowered;
  lowered.notes = std::move(task.command.notes);
  lowered.unit = std::make_unique<ir::Unit>();
  if (!task.unit) {
    lowered.unit->files.push_back(path);
    lowered.report = {path, Understanding::kNot, 1, std::move(task.loss), {}};
    lowered.is_lost = true;
    return lowered;
  }
  frontend::LowerResult& result = task.unit->result;
  lowered.report = {path, understanding_of(result), result.errors, std::move(result.first_error),
                    std::move(task.unit->left_out)};
  lowered.is_lost = result.crashed;
  lowered.digest = std::move(task.unit->digest);
  *lowered.unit = std::move(result.unit);
  return lowered;
}

uint64_t machine_memory() {
  long pages = sysconf(_SC_PHYS_PAGES);
  long size = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || size <= 0) return 4096;
  return (static_cast<uint64_t>(pages) * static_cast<uint64_t>(size)) >> 20;
}

// As many as may run at the same time with the memory that there is.
unsigned process_count(const LoweringOptions& options) {
  uint64_t memory = options.memory != 0 ? options.memory : machine_memory() * 3 / 4;
  uint64_t cores = llvm::hardware_concurrency(options.jobs).compute_thread_count();
  return static_cast<unsigned>(std::max<uint64_t>(1, std::min(cores, memory / kParseMemory)));
}

// What an earlier run left is taken by threads; all else is parsed in processes of its own.
class Lowering {
 public:
  Lowering(const frontend::CompileFlags& flags, const LoweringOptions& options, Caches& caches)
      : flags_(flags), options_(options), caches_(caches) {
    limits_.seconds = options.file_seconds;
    limits_.memory = options.file_memory;
  }

  void run(const std::vector<const SourceFile*>& files, std::vector<LoweredFile>& results) {
    tasks_.clear();
    tasks_.resize(files.size());
    for (size_t i = 0; i < files.size(); ++i) tasks_[i].file = files[i];
    look_up();
    parse_the_rest();
    for (Task& task : tasks_) results.push_back(result_of(std::move(task)));
  }

  bool has_parsed() const { return has_parsed_; }

 private:
  void look_up() {
    llvm::DefaultThreadPool pool(llvm::hardware_concurrency(options_.jobs));
    for (Task& task : tasks_) {
      pool.async([&] {
        const std::string& path = task.file->path;
        task.command = command_for(*task.file, flags_);
        cache::FileLog log;
        frontend::LowerInput input =
            lower_input(path, flags_, task.command, log, options_.replaced);
        task.key = UnitCache::key_of(input, task.command.directory);
        task.unit = caches_.units.find(task.key, input);
        if (!task.unit && options_.replaced)
          task.unit = caches_.units.find(key_of_texts(task.key), input);
        if (task.unit) return;
        if (auto nothing = caches_.units.find(key_of_limits(task.key, limits_), input))
          task.loss = nothing->result.first_error;
        else if (tasks_.size() > 1 && task.file->language != Language::kPython)
          task.header = caches_.headers.wanted(input);
      });
    }
    pool.wait();
  }

  void parse_the_rest() {
    std::vector<Task*> rest;
    for (Task& task : tasks_) {
      if (!task.unit && task.loss.empty())
        rest.push_back(&task);
      else if (options_.progress)
        options_.progress(task.file->shown);
    }
    if (rest.empty()) return;
    has_parsed_ = true;
    put_headers_first(rest);
    std::vector<const Task*> at_limits;
    Jobs jobs;
    jobs.count = rest.size();
    jobs.should_stop = options_.should_stop;
    jobs.begun = [&](size_t i) {
      if (options_.progress) options_.progress(rest[i]->file->shown);
    };
    jobs.work = [&](size_t i) {
      LoweredUnit unit =
          parse(*rest[i]->file, flags_, rest[i]->command, rest[i]->key, caches_, options_.replaced);
      return JobOutput{bytes_of(unit), unit.result.crashed};
    };
    jobs.done = [&](size_t i, JobResult result) {
      if (result.end == JobEnd::kDone) rest[i]->unit = unit_from(result.bytes);
      if (!rest[i]->unit) rest[i]->loss = why_lost(result, limits_);
      if (result.end == JobEnd::kOutOfTime || result.end == JobEnd::kOutOfMemory)
        at_limits.push_back(rest[i]);
    };
    run_jobs(jobs, process_count(options_), limits_);
    if (caches_.store.usable() && !options_.replaced) keep_losses(at_limits);
  }

  // One file of each shared header begins, so that no process waits for what another one builds
  // while there are others to build.
  static void put_headers_first(std::vector<Task*>& tasks) {
    std::set<std::string> seen;
    std::ranges::stable_partition(tasks, [&](const Task* task) {
      return !task->header.empty() && seen.insert(task->header).second;
    });
  }

  void keep_losses(std::vector<const Task*> tasks) {
    std::erase_if(tasks,
                  [](const Task* task) { return task->file->language == Language::kPython; });
    Jobs jobs;
    jobs.count = tasks.size();
    jobs.should_stop = options_.should_stop;
    jobs.work = [&](size_t i) {
      const Task& task = *tasks[i];
      keep_loss(*task.file, flags_, task.command, key_of_limits(task.key, limits_), task.loss,
                caches_);
      return JobOutput();
    };
    jobs.begun = [](size_t) {};
    jobs.done = [](size_t, const JobResult&) {};
    run_jobs(jobs, process_count(options_), limits_);
  }

  const frontend::CompileFlags& flags_;
  const LoweringOptions& options_;
  Caches& caches_;
  JobLimits limits_;  // for one file
  std::vector<Task> tasks_;
  bool has_parsed_ = false;
};

std::string real_path(const std::string& path) {
  llvm::SmallString<256> real;
  return llvm::sys::fs::real_path(path, real) ? path : std::string(real);
}

std::set<std::string> seen_files(const std::vector<LoweredFile>& lowered) {
  std::set<std::string> seen;
  for (const LoweredFile& each : lowered) {
    for (const std::string& file : each.unit->files) seen.insert(real_path(file));
  }
  return seen;
}

// The Python files that lowered ones import, as far as they are not there yet.
std::vector<SourceFile> imported_files(const std::vector<LoweredFile>& lowered) {
  std::set<std::string> known, wanted;
  for (const LoweredFile& each : lowered) known.insert(each.report.path);
  for (const LoweredFile& each : lowered) {
    for (const std::string& file : frontend::python::imports_of(*each.unit)) {
      if (!known.count(file)) wanted.insert(file);
    }
  }
  std::vector<SourceFile> files;
  for (const std::string& file : wanted) files.push_back({file, file, Language::kPython, false});
  return files;
}

}  // namespace

std::vector<std::string> leave_out_unsound(ir::Unit& unit) {
  std::vector<std::string> left_out;
  for (const ir::Violation& each : ir::drop_unsound_functions(unit))
    left_out.push_back(std::string(each.invariant) + ": " + each.where);
  return left_out;
}

std::string why_lost(const JobResult& result, const JobLimits& limits) {
  switch (result.end) {
    case JobEnd::kDone:
    case JobEnd::kCrashed:
      return "the parser crashed" +
             (result.signal != 0 ? " (signal " + std::to_string(result.signal) + ")" : "");
    case JobEnd::kOutOfTime:
      return "not done after " + std::to_string(limits.seconds) +
             " s; --file-time-limit allows more";
    case JobEnd::kOutOfMemory:
      return "needs more than " + std::to_string(limits.memory) + " MB; --file-memory allows more";
    case JobEnd::kNotStarted:
      return "no process could be started for it";
    case JobEnd::kStopped:
      break;
  }
  return "not looked at: the run was stopped";
}

frontend::LowerInput lower_input(const std::string& path, const frontend::CompileFlags& flags,
                                 const frontend::CompileCommand& command, cache::FileLog& log,
                                 const Texts* replaced) {
  frontend::LowerInput input;
  input.path = path;
  input.arguments = command.args;
  drop_separator(input.arguments);
  input.is_external = [&flags](llvm::StringRef header) {
    return flags.is_external_header(std::string_view(header));
  };
  input.logged_file_system = [directory = command.directory, root = flags.fixed_root(),
                              replaced](cache::FileLog& log) {
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk = cache::logged_snapshot(log);
    if (!root.empty()) disk = files::with_plain_paths(std::move(disk), root);
    auto files =
        frontend::with_shims(replaced ? cache::with_texts(*replaced, std::move(disk), log) : disk);
    // A folder that is gone leaves relative paths unresolved, which the front end reports.
    (void)files->setCurrentWorkingDirectory(directory);
    return files;
  };
  input.file_system = input.logged_file_system(log);
  return input;
}

std::vector<LoweredFile> lower_files(const std::vector<SourceFile>& files,
                                     const frontend::CompileFlags& flags,
                                     const LoweringOptions& options) {
  std::vector<const SourceFile*> sources;
  std::vector<const SourceFile*> headers;
  for (const SourceFile& each : files) {
    (each.language == Language::kHeader ? headers : sources).push_back(&each);
  }
  Caches caches(options, files.size());
  if (options.note && !caches.store.refusal().empty())
    options.note("nothing is kept between runs in '" + options.cache_folder +
                 "': " + caches.store.refusal());
  std::vector<LoweredFile> results;
  Lowering lowering(flags, options, caches);
  lowering.run(sources, results);
  std::set<std::string> seen = seen_files(results);
  std::erase_if(headers, [&](const SourceFile* header) {
    bool is_wanted = header->named || sources.empty();
    return !is_wanted || seen.count(real_path(header->path)) != 0;
  });
  lowering.run(headers, results);
  // What a program imports is a part of it, as what it includes is.
  constexpr size_t kMaxImported = 1000;
  size_t imported = 0;
  while (options.with_imported && imported < kMaxImported) {
    std::vector<SourceFile> more = imported_files(results);
    if (more.empty()) break;
    std::vector<const SourceFile*> next;
    for (const SourceFile& each : more) next.push_back(&each);
    const size_t before = results.size();
    lowering.run(next, results);
    for (size_t i = before; i < results.size(); ++i) results[i].is_context = true;
    imported += more.size();
  }
  if (lowering.has_parsed() && !options.comes_again) caches.store.trim();
  std::stable_sort(results.begin(), results.end(),
                   [](const auto& a, const auto& b) { return a.report.path < b.report.path; });
  return results;
}

}  // namespace placecheck
