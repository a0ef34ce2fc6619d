#include "analyzer/frontend/clang/include_guess.h"

#include <set>

#include "analyzer/files/regular_file.h"
#include "analyzer/frontend/clang/project_layout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace placecheck::frontend {
namespace {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

constexpr size_t kMaxFilesFollowed = 4'000;
constexpr size_t kMaxRoots = 200;

std::string normal(llvm::StringRef folder, llvm::StringRef rest) {
  llvm::SmallString<256> full(folder);
  path::append(full, rest);
  path::remove_dots(full, /*remove_dot_dot=*/true);
  return full.str().str();
}

// Headers of libtorch itself: another version's copy in the project must never stand in for them.
bool is_torch_name(llvm::StringRef include) {
  const llvm::StringRef first = include.split('/').first;
  return first == "torch" || first == "ATen" || first == "c10" || first == "caffe2";
}

// Cuts the leading "./" and "../"; returns how many "../" there were.
unsigned strip_dots(llvm::StringRef& include) {
  unsigned ups = 0;
  while (true) {
    if (include.consume_front("../"))
      ++ups;
    else if (!include.consume_front("./"))
      return ups;
  }
}

// The folder from which `include` leads to `target`; "" when its dots lead nowhere.
std::string root_for(llvm::StringRef target, llvm::StringRef plain, unsigned ups) {
  llvm::StringRef base = target.drop_back(plain.size()).rtrim('/');
  llvm::SmallString<256> root(base);
  // "../x/y.h" is true from any folder beside x, so also from x.
  llvm::StringRef rest = path::parent_path(plain);
  for (auto part = path::begin(rest); ups > 0; ++part, --ups) {
    if (part == path::end(rest)) return "";
    path::append(root, *part);
  }
  return root.str().str();
}

bool is_word(char c) { return llvm::isAlnum(c) || c == '_'; }

// TORCH_EXTENSION_NAME, and WITH_CUDA with whatever a project puts before it: what an extension's
// build script passes to the compiler, and leaves no database of.
std::vector<std::string> scan_build_macros(llvm::StringRef text) {
  std::set<std::string> found;
  for (llvm::StringRef end : {"TORCH_EXTENSION_NAME", "WITH_CUDA"}) {
    for (size_t at = text.find(end); at != llvm::StringRef::npos; at = text.find(end, at + 1)) {
      size_t begin = at, after = at + end.size();
      while (begin > 0 && is_word(text[begin - 1])) --begin;
      if (after == text.size() || !is_word(text[after]))
        found.insert(text.slice(begin, after).str());
    }
  }
  return {found.begin(), found.end()};
}

// The words of #if, #ifdef, #ifndef and #elif.
std::vector<std::string> scan_conditions(llvm::StringRef text) {
  std::set<std::string> found;
  for (size_t at = text.find('#'); at != llvm::StringRef::npos; at = text.find('#', at + 1)) {
    llvm::StringRef line = text.substr(at + 1);
    line = line.substr(0, line.find('\n')).ltrim(" \t");
    if (!line.consume_front("if") && !line.consume_front("elif")) continue;
    while (!line.empty()) {
      const llvm::StringRef word = line.take_while(is_word);
      if (!word.empty() && !llvm::isDigit(word[0])) found.insert(word.str());
      line = line.drop_front(std::max<size_t>(word.size(), 1));
    }
  }
  return {found.begin(), found.end()};
}

// One run over a file and what it reaches.
class Follower {
 public:
  Follower(llvm::StringRef project_root, const std::vector<std::string>& known,
           const HeaderIndex& index, bool skip_torch,
           llvm::function_ref<bool(llvm::StringRef)> system_has)
      : project_root_(project_root),
        known_(known),
        index_(index),
        skip_torch_(skip_torch),
        system_has_(system_has) {}

  // Takes in one include of `file`; the project's file it means goes into `reached`.
  void take(llvm::StringRef file, const Include& include) {
    if (path::is_absolute(include.name)) return;
    names_.insert(include.name);
    if (!include.conditional) certain_.insert(include.name);
    const llvm::StringRef folder = path::parent_path(file);
    if (include.quoted && reach(normal(folder, include.name))) return;
    for (const std::string& known : known_) {
      if (reach(normal(known, include.name))) return;
    }
    if (system_has_(include.name)) return;
    for (const std::string& root : roots_) {
      if (reach(normal(root, include.name))) return;
    }
    if (!skip_torch_ || !is_torch_name(include.name)) guess(folder, include.name);
  }

  void take_macros(const SourceNeeds& needs) {
    macros_.insert(needs.build_macros.begin(), needs.build_macros.end());
    conditions_.insert(needs.conditions.begin(), needs.conditions.end());
  }

  std::vector<std::string> reached;

  Guess finish() {
    return {std::move(roots_),
            {names_.begin(), names_.end()},
            {certain_.begin(), certain_.end()},
            {macros_.begin(), macros_.end()},
            {conditions_.begin(), conditions_.end()},
            index_.complete()};
  }

 private:
  bool reach(std::string target) {
    if (!fs::is_regular_file(target)) return false;
    if (is_below(target, project_root_) && seen_.insert(target).second) {
      reached.push_back(std::move(target));
    }
    return true;
  }

  void guess(llvm::StringRef folder, llvm::StringRef include) {
    const unsigned ups = strip_dots(include);
    const llvm::StringRef target = index_.nearest(include, folder, skip_torch_);
    if (target.empty() || roots_.size() >= kMaxRoots) return;
    std::string root = root_for(target, include, ups);
    if (root.empty()) return;
    if (!llvm::is_contained(roots_, root)) roots_.push_back(std::move(root));
    reach(target.str());
  }

  llvm::StringRef project_root_;
  const std::vector<std::string>& known_;
  const HeaderIndex& index_;
  bool skip_torch_;
  llvm::function_ref<bool(llvm::StringRef)> system_has_;
  std::vector<std::string> roots_;
  std::set<std::string> names_;
  std::set<std::string> certain_;
  std::set<std::string> macros_;
  std::set<std::string> conditions_;
  llvm::StringSet<> seen_;
};

}  // namespace

std::shared_ptr<const HeaderIndex> IncludeGuesser::index_of(llvm::StringRef root) {
  // Held while building: the others would only build the same index again.
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const HeaderIndex>& index = indexes_[root];
  if (!index)
    index = std::make_shared<HeaderIndex>(searches_ ? HeaderIndex(root.str()) : HeaderIndex());
  return index;
}

std::shared_ptr<const SourceNeeds> IncludeGuesser::needs_of(llvm::StringRef file) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = needs_.find(file); known != needs_.end()) return known->second;
  }
  auto needs = std::make_shared<SourceNeeds>();
  if (auto buffer = files::read_regular_file(file, files::kMaxSource)) {
    needs->includes = scan_includes((*buffer)->getBuffer());
    needs->build_macros = scan_build_macros((*buffer)->getBuffer());
    needs->conditions = scan_conditions((*buffer)->getBuffer());
  }
  const std::lock_guard lock(mutex_);
  return needs_.try_emplace(file, std::move(needs)).first->second;
}

bool IncludeGuesser::system_has(llvm::StringRef include) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = system_has_.find(include); known != system_has_.end()) {
      return known->second;
    }
  }
  const bool has = system_.has_header(include);
  const std::lock_guard lock(mutex_);
  system_has_[include] = has;
  return has;
}

Guess IncludeGuesser::guess(llvm::StringRef file, llvm::StringRef project_root,
                            const std::vector<std::string>& known) {
  const std::shared_ptr<const HeaderIndex> index = index_of(project_root);
  const auto has = [this](llvm::StringRef include) { return system_has(include); };
  Follower follower(project_root, known, *index, system_.has_torch, has);
  follower.reached.push_back(file.str());
  for (size_t i = 0; i < follower.reached.size() && i < kMaxFilesFollowed; ++i) {
    const std::string current = follower.reached[i];
    const auto needs = needs_of(current);
    for (const Include& include : needs->includes) follower.take(current, include);
    follower.take_macros(*needs);
  }
  return follower.finish();
}

}  // namespace placecheck::frontend
