#include "analyzer/discovery/companions.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "analyzer/discovery/importers.h"
#include "analyzer/discovery/includes.h"
#include "analyzer/files/regular_file.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"

namespace placecheck::discovery {
namespace {

namespace path = llvm::sys::path;

constexpr size_t kMaxCompanions = 48;
constexpr size_t kMaxPrograms = 4;  // of those that use what was named
constexpr int kMaxCallers = 3;      // from a function to the main that uses it, over files

using FileId = size_t;
using FileSet = std::set<FileId>;

// What a file says of others, and whether a program starts in it.
struct Text {
  std::vector<Include> includes;
  bool has_main = false;
};

bool declares_main(llvm::StringRef line) {
  size_t at = line.find("main");
  if (at == llvm::StringRef::npos || line.ltrim().starts_with("//")) return false;
  bool begins = at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t';
  return begins && line.drop_front(at + 4).ltrim().starts_with("(");
}

Text read_text(const std::string& file) {
  Text text;
  auto buffer = files::read_regular_file(file, files::kMaxSource);
  if (!buffer) return text;
  llvm::StringRef rest = (*buffer)->getBuffer();
  text.includes = scan_includes(rest);
  while (!rest.empty() && !text.has_main) {
    auto [line, after] = rest.split('\n');
    rest = after;
    text.has_main = declares_main(line);
  }
  return text;
}

class Project {
 public:
  explicit Project(const std::vector<SourceFile>& files) : files_(files), texts_(files.size()) {
    for (FileId id = 0; id < files.size(); ++id) {
      by_name_[path::filename(files[id].path)].push_back(id);
      if (is_source(id)) by_stem_[stem(id)].push_back(id);
      ids_[files[id].path] = id;
    }
  }

  const std::vector<SourceFile>& files() const { return files_; }
  bool is_source(FileId id) const {
    return files_[id].language == Language::kCxx || files_[id].language == Language::kCuda;
  }
  bool has_main(FileId id) { return text(id).has_main; }

  std::optional<FileId> find(const std::string& file) const {
    auto at = ids_.find(file);
    return at == ids_.end() ? std::nullopt : std::optional<FileId>(at->second);
  }

  // The project's headers that a file includes, and those that they include.
  const FileSet& headers_of(FileId file) {
    auto [known, is_new] = headers_.try_emplace(file);
    if (!is_new) return known->second;
    FileSet& headers = known->second;
    std::vector<FileId> work{file};
    while (!work.empty()) {
      FileId next = work.back();
      work.pop_back();
      for (const Include& include : text(next).includes) {
        std::optional<FileId> header = resolve(include.name, next);
        if (header && headers.insert(*header).second) work.push_back(*header);
      }
    }
    return headers;
  }

  // The sources of a header's name that include it.
  FileSet implementers(FileId header) {
    FileSet found;
    for (FileId source : by_stem_[stem(header)]) {
      if (headers_of(source).count(header)) found.insert(source);
    }
    return found;
  }

 private:
  llvm::StringRef stem(FileId id) const { return path::stem(files_[id].path); }

  const Text& text(FileId id) {
    std::optional<Text>& known = texts_[id];
    return known ? *known : known.emplace(read_text(files_[id].path));
  }

  // Next to the file; else the only one in the project whose path ends so.
  std::optional<FileId> resolve(llvm::StringRef spelled, FileId from) const {
    llvm::SmallString<256> beside(path::parent_path(files_[from].path));
    path::append(beside, spelled);
    path::remove_dots(beside, /*remove_dot_dot=*/true);
    if (std::optional<FileId> found = find(std::string(beside))) return found;
    while (spelled.consume_front("../") || spelled.consume_front("./")) {
    }
    auto named = by_name_.find(path::filename(spelled));
    if (named == by_name_.end()) return std::nullopt;
    std::optional<FileId> only;
    for (FileId id : named->second) {
      llvm::StringRef file = files_[id].path;
      if (!file.consume_back(spelled) || !file.ends_with("/")) continue;
      if (only) return std::nullopt;
      only = id;
    }
    return only;
  }

  const std::vector<SourceFile>& files_;
  std::vector<std::optional<Text>> texts_;
  llvm::StringMap<std::vector<FileId>> by_name_;
  llvm::StringMap<std::vector<FileId>> by_stem_;  // sources
  std::map<std::string, FileId> ids_;
  std::map<FileId, FileSet> headers_;
};

class Search {
 public:
  Search(Project& project, FileSet named) : project_(project), chosen_(std::move(named)) {}

  FileSet run() {
    FileSet named = chosen_;
    add_implementers();
    bool is_program = std::any_of(chosen_.begin(), chosen_.end(),
                                  [&](FileId id) { return project_.has_main(id); });
    FileSet called = named;
    for (int hop = 0; hop < kMaxCallers && !is_program; ++hop) {
      called = add_callers(called, is_program);
      if (called.empty()) break;
    }
    add_implementers();
    return std::move(chosen_);
  }

 private:
  bool is_full() const { return chosen_.size() >= limit_; }

  void add_implementers() {
    std::vector<FileId> work(chosen_.begin(), chosen_.end());
    for (size_t i = 0; i < work.size() && !is_full(); ++i) {
      for (FileId header : project_.headers_of(work[i])) {
        for (FileId source : project_.implementers(header)) {
          if (!is_full() && chosen_.insert(source).second) work.push_back(source);
        }
      }
    }
  }

  // Sources that include what those files implement; where programs are among them, only these.
  FileSet add_callers(const FileSet& called, bool& found_program) {
    FileSet implemented;
    for (FileId id : called) {
      if (!project_.is_source(id)) implemented.insert(id);
      for (FileId header : project_.headers_of(id)) {
        if (project_.implementers(header).count(id)) implemented.insert(header);
      }
    }
    FileSet programs;
    FileSet others;
    for (FileId id = 0; id < project_.files().size(); ++id) {
      if (!project_.is_source(id) || chosen_.count(id)) continue;
      const FileSet& headers = project_.headers_of(id);
      bool calls = std::any_of(implemented.begin(), implemented.end(),
                               [&](FileId header) { return headers.count(header) != 0; });
      if (calls) (project_.has_main(id) ? programs : others).insert(id);
    }
    found_program = !programs.empty();
    size_t limit = found_program ? kMaxPrograms : kMaxCompanions;
    FileSet added;
    for (FileId id : found_program ? programs : others) {
      if (added.size() < limit && !is_full() && chosen_.insert(id).second) added.insert(id);
    }
    return added;
  }

  Project& project_;
  FileSet chosen_;
  size_t limit_ = chosen_.size() + kMaxCompanions;
};

// Python files that import the named ones, or import those that do, up to where programs start.
class ImporterSearch {
 public:
  explicit ImporterSearch(const std::vector<SourceFile>& project) {
    for (FileId id = 0; id < project.size(); ++id) {
      if (project[id].language == Language::kPython) ids_[project[id].path] = id;
    }
  }

  FileSet run(const FileSet& named) {
    read_all();
    FileSet found;
    FileSet imported = named;
    bool is_program = std::ranges::any_of(named, [&](FileId id) { return programs_.contains(id); });
    for (int hop = 0; hop < kMaxCallers && !is_program && !imported.empty(); ++hop) {
      FileSet importers;
      for (FileId id : imported) importers.insert(importers_[id].begin(), importers_[id].end());
      std::erase_if(importers, [&](FileId id) { return named.contains(id) || found.contains(id); });
      imported = chosen_of(importers, is_program);
      found.insert(imported.begin(), imported.end());
      if (found.size() >= kMaxCompanions) break;
    }
    return found;
  }

 private:
  // Programs, where there are some; what else imports a file may do so for tests.
  FileSet chosen_of(const FileSet& importers, bool& is_program) const {
    FileSet chosen;
    is_program = std::ranges::any_of(importers, [&](FileId id) { return programs_.contains(id); });
    const size_t limit = is_program ? kMaxPrograms : kMaxCompanions;
    for (FileId id : importers) {
      if ((!is_program || programs_.contains(id)) && chosen.size() < limit) chosen.insert(id);
    }
    return chosen;
  }

  void read_all() {
    for (const auto& [file, id] : ids_) {
      auto buffer = files::read_regular_file(file, files::kMaxSource);
      if (!buffer) continue;
      llvm::StringRef text = (*buffer)->getBuffer();
      if (starts_program(text)) programs_.insert(id);
      for (const std::string& name : scan_imports(text)) {
        for (const std::string& candidate : module_files(name, file)) {
          auto module = ids_.find(candidate);
          if (module == ids_.end()) continue;
          importers_[module->second].insert(id);
          break;
        }
      }
    }
  }

  std::map<std::string, FileId> ids_;
  std::map<FileId, FileSet> importers_;  // by what they import
  FileSet programs_;
};

void add_importers(const std::vector<SourceFile>& named, const std::vector<SourceFile>& project,
                   std::vector<SourceFile>& found) {
  std::set<std::string> paths;
  for (const SourceFile& file : named) {
    if (file.language == Language::kPython) paths.insert(file.path);
  }
  if (paths.empty()) return;
  FileSet ids;
  for (FileId id = 0; id < project.size(); ++id) {
    if (paths.contains(project[id].path)) ids.insert(id);
  }
  for (FileId id : ImporterSearch(project).run(ids)) found.push_back(project[id]);
}

}  // namespace

std::vector<SourceFile> companions(const std::vector<SourceFile>& named,
                                   const std::vector<SourceFile>& project) {
  Project index(project);
  FileSet ids;
  for (const SourceFile& file : named) {
    std::optional<FileId> id = index.find(file.path);
    if (id && file.language != Language::kPython) ids.insert(*id);
  }
  std::vector<SourceFile> found;
  add_importers(named, project, found);
  if (ids.empty()) return found;
  for (FileId id : Search(index, ids).run()) {
    if (!ids.count(id)) found.push_back(project[id]);
  }
  return found;
}

}  // namespace placecheck::discovery
