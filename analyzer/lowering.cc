#include "analyzer/lowering.h"

#include <algorithm>
#include <mutex>
#include <set>

#include "analyzer/cache/file_facts.h"
#include "analyzer/cache/store.h"
#include "analyzer/cache/version.h"
#include "analyzer/frontend/clang/header_cache.h"
#include "analyzer/frontend/clang/lower.h"
#include "analyzer/frontend/clang/shims.h"
#include "analyzer/ir/verify.h"
#include "analyzer/memory_budget.h"
#include "analyzer/unit_cache.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace placecheck {
namespace {

using discovery::Language;
using discovery::SourceFile;
using findings::Understanding;

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
      : memory(options.memory),
        store(options.cache_folder, cache::build_identity()),
        headers(store, facts, files > 1),
        units(store, facts, headers) {}
  ~Caches() {
    if (store.has_written()) store.trim();
  }

  MemoryBudget memory;
  cache::Store store;
  cache::FileFacts facts;
  frontend::HeaderCache headers;
  UnitCache units;
};

CachedUnit parse(frontend::LowerInput& input, const std::string& key, Caches& caches) {
  MemoryBudget::Share share(caches.memory, kPlainParse);
  frontend::HeaderUse use;
  input.header = caches.headers.find(input, use);
  if (input.header) share.shrink(kParseOverHeader);
  cache::FileLog log;
  if (caches.store.usable()) input.log = &log;
  CachedUnit lowered{frontend::lower_file(input), {}};
  if (!lowered.result.over_header) use = {};
  for (const ir::Violation& each : ir::drop_unsound_functions(lowered.result.unit)) {
    lowered.notes.push_back("left out, " + std::string(each.invariant) + ": " + each.where);
  }
  if (!lowered.result.crashed) caches.units.keep(key, input, log, use, lowered);
  return lowered;
}

LoweredFile lower_one(const std::string& path, const frontend::CompileFlags& flags,
                      Caches& caches) {
  frontend::CompileCommand command = flags.for_file(path);
  frontend::LowerInput input = lower_input(path, flags, command);
  std::string key = UnitCache::key_of(input, command.directory);
  std::optional<CachedUnit> known = caches.units.find(key);
  if (!known) known = parse(input, key, caches);
  frontend::LowerResult& result = known->result;
  LoweredFile lowered;
  lowered.report = {path, understanding_of(result), result.errors, std::move(result.first_error)};
  lowered.notes = std::move(command.notes);
  lowered.notes.insert(lowered.notes.end(), known->notes.begin(), known->notes.end());
  lowered.unit = std::make_unique<ir::Unit>(std::move(result.unit));
  return lowered;
}

// A run over a list of files; `results` has a place for each.
void lower_in_parallel(const std::vector<const SourceFile*>& files,
                       const frontend::CompileFlags& flags, const LoweringOptions& options,
                       Caches& caches, std::vector<LoweredFile>& results) {
  std::mutex progress;
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(options.jobs));
  size_t offset = results.size();
  results.resize(offset + files.size());
  for (size_t i = 0; i < files.size(); ++i) {
    pool.async([&, i] {
      if (options.progress) {
        std::lock_guard lock(progress);
        options.progress(files[i]->shown);
      }
      results[offset + i] = lower_one(files[i]->path, flags, caches);
    });
  }
  pool.wait();
}

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

}  // namespace

frontend::LowerInput lower_input(const std::string& path, const frontend::CompileFlags& flags,
                                 const frontend::CompileCommand& command) {
  frontend::LowerInput input;
  input.path = path;
  input.arguments = command.args;
  drop_separator(input.arguments);
  input.is_external = [&flags](llvm::StringRef header) {
    return flags.is_external_header(std::string_view(header));
  };
  input.file_system = frontend::with_shims(llvm::vfs::createPhysicalFileSystem());
  // A folder that is gone leaves relative paths unresolved, which the front end reports.
  (void)input.file_system->setCurrentWorkingDirectory(command.directory);
  return input;
}

std::vector<LoweredFile> lower_files(const std::vector<SourceFile>& files,
                                     const frontend::CompileFlags& flags,
                                     const LoweringOptions& options) {
  std::vector<const SourceFile*> sources;
  std::vector<const SourceFile*> headers;
  for (const SourceFile& each : files) {
    if (each.language == Language::kPython) continue;
    (each.language == Language::kHeader ? headers : sources).push_back(&each);
  }
  Caches caches(options, files.size());
  std::vector<LoweredFile> results;
  lower_in_parallel(sources, flags, options, caches, results);
  std::set<std::string> seen = seen_files(results);
  std::erase_if(headers, [&](const SourceFile* header) {
    bool is_wanted = header->named || sources.empty();
    return !is_wanted || seen.count(real_path(header->path)) != 0;
  });
  lower_in_parallel(headers, flags, options, caches, results);
  std::stable_sort(results.begin(), results.end(),
                   [](const auto& a, const auto& b) { return a.report.path < b.report.path; });
  return results;
}

}  // namespace placecheck
