#include "analyzer/unit_cache.h"

#include <set>

#include "analyzer/cache/fields.h"
#include "analyzer/files/built_in.h"
#include "analyzer/ir/serialize.h"
#include "llvm/Support/Path.h"

namespace placecheck {
namespace {

constexpr char kUnitKind[] = "units";
constexpr char kSurroundingsKind[] = "surroundings";

// The shortest beginning of `path` that does not exist: while that is so, `path` does not either.
std::string first_absent(llvm::StringRef path, cache::FileFacts& facts) {
  llvm::StringRef parent = llvm::sys::path::parent_path(path);
  while (!parent.empty() && !facts.exists(parent)) {
    path = parent;
    parent = llvm::sys::path::parent_path(path);
  }
  return path.str();
}

bool is_own(llvm::StringRef path, const frontend::LowerInput& input) {
  return path == input.path || !input.is_external(path);
}

// What a parse read, told apart by how it is compared later.
struct Sources {
  std::map<std::string, uint64_t> own;  // by content
  std::map<std::string, cache::Stamp> foreign;
  std::set<std::string> absent;
  std::set<std::string> folders;  // where a file of that name was looked for
};

Sources sources_of(const frontend::LowerInput& input, const cache::FileLog& log,
                   cache::FileFacts& facts) {
  Sources sources;
  for (const auto& [path, read] : log.read) {
    if (files::is_built_in(path)) continue;
    if (is_own(path, input) && read.digest != 0)
      sources.own[path] = read.digest;
    else
      sources.foreign[path] = read.stamp;
  }
  for (const std::string& path : log.absent) {
    if (files::is_built_in(path)) continue;
    if (facts.exists(path))
      sources.folders.insert(path);
    else
      sources.absent.insert(first_absent(path, facts));
  }
  return sources;
}

// Many files have the same ones: they are kept, and looked at, once.
std::string print_surroundings(const Sources& sources) {
  cache::FieldWriter out;
  out.number(sources.foreign.size());
  for (const auto& [path, stamp] : sources.foreign) {
    out.text(path);
    out.number(stamp.size);
    out.number(static_cast<uint64_t>(stamp.modified));
    out.number(static_cast<uint64_t>(stamp.changed));
    out.number(stamp.content);
  }
  out.texts(sources.absent);
  out.texts(sources.folders);
  return out.bytes();
}

void print_use(const frontend::HeaderUse& use, cache::FieldWriter& out) {
  out.text(use.key);
  out.text(use.id);
  out.texts(use.project_folders.quoted);
  out.texts(use.project_folders.early);
  out.texts(use.project_folders.late);
}

frontend::HeaderUse read_use(cache::FieldReader& in) {
  frontend::HeaderUse use;
  use.key = in.text().str();
  use.id = in.text().str();
  in.texts(use.project_folders.quoted);
  in.texts(use.project_folders.early);
  in.texts(use.project_folders.late);
  return use;
}

void print_result(const LoweredUnit& unit, cache::FieldWriter& out) {
  out.number(static_cast<uint64_t>(unit.result.understanding));
  out.number(unit.result.errors);
  out.text(unit.result.first_error);
  out.texts(unit.left_out);
  out.text(ir::serialize(unit.result.unit));
}

std::optional<LoweredUnit> read_result(cache::FieldReader& in) {
  LoweredUnit unit;
  uint64_t understanding = in.number();
  unit.result.understanding = static_cast<frontend::Understanding>(understanding);
  unit.result.errors = static_cast<unsigned>(in.number());
  unit.result.first_error = in.text().str();
  in.texts(unit.left_out);
  llvm::StringRef bytes = in.text();
  if (!in.ok() || understanding > static_cast<uint64_t>(frontend::Understanding::kNone))
    return std::nullopt;
  // The store has compared a checksum already.
  ir::DeserializeResult read = ir::deserialize(std::string_view(bytes));
  if (!read.ok()) return std::nullopt;
  unit.result.unit = std::move(read.unit);
  return unit;
}

}  // namespace

std::string bytes_of(const LoweredUnit& unit) {
  cache::FieldWriter out;
  print_result(unit, out);
  out.text(unit.digest);
  return out.bytes();
}

std::optional<LoweredUnit> unit_from(llvm::StringRef bytes) {
  cache::FieldReader in(bytes);
  std::optional<LoweredUnit> unit = read_result(in);
  if (unit) unit->digest = in.text().str();
  return in.ok() ? std::move(unit) : std::nullopt;
}

std::string UnitCache::key_of(const frontend::LowerInput& input, const std::string& directory) {
  cache::FieldWriter all;
  all.number(ir::kSerialVersion);
  all.text(input.path);
  all.text(directory);
  all.texts(input.arguments);
  all.texts(frontend::include_environment());
  return cache::digest(all.bytes());
}

// Which files are the project's own depends on what the user named, so that is compared too.
bool UnitCache::is_unchanged(const std::string& surroundings, const frontend::LowerInput& input) {
  {
    std::lock_guard lock(mutex_);
    auto known = unchanged_.find(surroundings);
    if (known != unchanged_.end()) return known->second;
  }
  bool is_same = false;
  if (auto entry = store_.read(kSurroundingsKind, surroundings)) {
    cache::FieldReader in(entry->bytes());
    is_same = true;
    for (uint64_t count = in.number(); is_same && in.ok() && count > 0; --count) {
      llvm::StringRef path = in.text();
      cache::Stamp stamp;
      stamp.size = in.number();
      stamp.modified = static_cast<int64_t>(in.number());
      stamp.changed = static_cast<int64_t>(in.number());
      stamp.content = in.number();
      is_same = facts_.matches(path, stamp) && input.is_external(path);
    }
    for (uint64_t count = is_same ? in.number() : 0; is_same && in.ok() && count > 0; --count)
      is_same = !facts_.exists(in.text());
    for (uint64_t count = is_same ? in.number() : 0; is_same && in.ok() && count > 0; --count)
      is_same = !facts_.is_file(in.text());
    is_same &= in.ok();
  }
  std::lock_guard lock(mutex_);
  return unchanged_[surroundings] = is_same;
}

std::optional<LoweredUnit> UnitCache::find(const std::string& key,
                                           const frontend::LowerInput& input) {
  auto entry = store_.read(kUnitKind, key);
  if (!entry) return std::nullopt;
  cache::FieldReader in(entry->bytes());
  for (uint64_t count = in.number(); in.ok() && count > 0; --count) {
    llvm::StringRef path = in.text();
    uint64_t digest = in.number();
    if (in.ok() && (facts_.digest(path) != digest || !is_own(path, input))) return std::nullopt;
  }
  std::string surroundings = in.text().str();
  frontend::HeaderUse use = read_use(in);
  if (!in.ok() || !is_unchanged(surroundings, input)) return std::nullopt;
  if (!use.key.empty() && !headers_.is_current(use, input.is_external)) return std::nullopt;
  std::optional<LoweredUnit> unit = read_result(in);
  if (unit) unit->digest = cache::digest(entry->bytes());
  return unit;
}

std::string UnitCache::keep(const std::string& key, const frontend::LowerInput& input,
                            const cache::FileLog& log, const frontend::HeaderUse& use,
                            const LoweredUnit& unit) {
  if (!store_.usable()) return {};
  Sources sources = sources_of(input, log, facts_);
  std::string surroundings = print_surroundings(sources);
  std::string name = cache::digest(surroundings);
  if (!store_.read(kSurroundingsKind, name) && !store_.write(kSurroundingsKind, name, surroundings))
    return {};
  cache::FieldWriter out;
  out.number(sources.own.size());
  for (const auto& [path, digest] : sources.own) {
    out.text(path);
    out.number(digest);
  }
  out.text(name);
  print_use(use, out);
  print_result(unit, out);
  (void)store_.write(kUnitKind, key, out.bytes());
  return cache::digest(out.bytes());
}

}  // namespace placecheck
