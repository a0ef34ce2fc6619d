#include "analyzer/program_cache.h"

#include <string_view>
#include <utility>

#include "analyzer/cache/fields.h"
#include "analyzer/cache/version.h"

namespace placecheck {
namespace {

constexpr char kKind[] = "programs";

using cache::FieldWriter;

void write(FieldWriter& out, const dataflow::Site& site) {
  out.text(site.unit && site.range.file < site.unit->files.size()
               ? std::string_view(site.unit->files[site.range.file])
               : std::string_view());
  for (uint32_t each :
       {site.range.line, site.range.column, site.range.end_line, site.range.end_column})
    out.number(each);
}

void write(FieldWriter& out, const models::UserModels* models) {
  out.number(models ? models->by_name.size() : 0);
  if (!models) return;
  for (const auto& [name, model] : models->by_name) {
    out.text(name);
    out.number(model.effect ? static_cast<uint64_t>(*model.effect) + 1 : 0);
    out.text(model.returns);
  }
}

// The structured binding names every member: one that is added does not compile until it is here.
void write(FieldWriter& out, const dataflow::EngineOptions& options) {
  const auto& [devices, devices_given, devices_counted, visible, command_line, shares_host_memory,
               shares_peer_memory, step_budget, program_budget, export_budget, memory_budget,
               contexts_per_function, contexts_without_places, states_per_block, exits_per_call,
               call_depth, models, files, record_places, trace_function, trace] = options;
  (void)trace_function;  // a traced run is not kept
  (void)trace;
  for (uint64_t each :
       {static_cast<uint64_t>(devices), static_cast<uint64_t>(devices_given),
        static_cast<uint64_t>(devices_counted), static_cast<uint64_t>(shares_host_memory),
        static_cast<uint64_t>(shares_peer_memory), step_budget, program_budget, export_budget,
        memory_budget, static_cast<uint64_t>(contexts_per_function),
        static_cast<uint64_t>(contexts_without_places), static_cast<uint64_t>(states_per_block),
        static_cast<uint64_t>(exits_per_call), static_cast<uint64_t>(call_depth),
        static_cast<uint64_t>(record_places)})
    out.number(each);
  out.number(visible.has_value());
  out.text(visible.value_or(""));
  out.number(command_line.has_value());
  if (command_line) {
    out.number(command_line->is_known);
    out.texts(command_line->arguments);
  }
  write(out, models);
  out.number(files.size());
  for (const dataflow::FoundFile& file : files) {
    out.text(file.slot);
    out.text(bytes_of(file.record));
    write(out, dataflow::Site{file.unit, file.range});
  }
}

}  // namespace

ProgramCache::ProgramCache(const std::string& folder,
                           std::map<const ir::Unit*, std::string> digests)
    : store_(folder, cache::build_identity()), digests_(std::move(digests)) {}

std::string ProgramCache::key_of(const ir::Program& program, const checks::AnalyzeOptions& options,
                                 uint64_t owned_roots,
                                 const std::vector<discovery::Launch>& launches) const {
  if (!store_.usable() || !options.trace_function.empty()) return {};
  FieldWriter all;
  all.text(program.name);
  all.number(program.roots);
  all.number(program.is_library);
  all.number(owned_roots);
  all.number(program.units.size());
  for (const ir::Unit* unit : program.units) {
    const auto digest = digests_.find(unit);
    if (digest == digests_.end() || digest->second.empty()) return {};
    all.text(digest->second);
  }
  write(all, options);
  all.texts(options.rules);
  all.number(options.python_callers.size());
  for (const auto& [name, site] : options.python_callers) {
    all.text(name);
    write(all, site);
  }
  for (const discovery::Launch& launch : launches) {
    if (launch.program != program.name) continue;
    all.text(launch.visible);
    all.number(launch.are_arguments_known);
    all.texts(launch.arguments);
    all.text(launch.script);
    for (unsigned each : {launch.line, launch.column, launch.end_column}) all.number(each);
  }
  return cache::digest(all.bytes());
}

std::optional<SolvedProgram> ProgramCache::find(const std::string& key) const {
  if (key.empty()) return std::nullopt;
  std::optional<cache::Entry> entry = store_.read(kKind, key);
  return entry ? solved_from(entry->bytes()) : std::nullopt;
}

void ProgramCache::keep(const std::string& key, const std::string& bytes) {
  if (!key.empty()) (void)store_.write(kKind, key, bytes);
}

void ProgramCache::trim() {
  if (store_.has_written()) store_.trim();
}

}  // namespace placecheck
