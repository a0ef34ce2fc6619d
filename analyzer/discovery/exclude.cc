#include "analyzer/discovery/exclude.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/Path.h"

namespace placecheck::discovery {
namespace {

constexpr size_t kMaxSubPatterns = 64;  // {a,b} expansions of one glob

bool any_matches(const std::vector<llvm::GlobPattern>& patterns, llvm::StringRef text) {
  return llvm::any_of(patterns,
                      [&](const llvm::GlobPattern& pattern) { return pattern.match(text); });
}

}  // namespace

Exclude::Exclude(std::vector<std::string> globs, std::string root)
    : root_(std::move(root)), globs_(std::move(globs)) {
  for (const std::string& glob : globs_) add(glob);
}

void Exclude::add(llvm::StringRef glob) {
  llvm::StringRef core = glob;
  core.consume_front("./");
  // "folder/", "folder/*" and "folder/**" all mean the folder with all below it.
  while (core.consume_back("/**") || core.consume_back("/*") || core.consume_back("/")) {
  }
  while (core.consume_front("**/")) {
  }
  auto pattern = llvm::GlobPattern::create(core, kMaxSubPatterns);
  if (core.empty() || !pattern) {
    problems_.push_back("exclude: cannot read the glob '" + glob.str() + "'" +
                        (pattern ? "" : ": " + llvm::toString(pattern.takeError())));
    return;
  }
  // As in .gitignore: a "/" before the end ties the glob to the root.
  const bool anywhere = glob.starts_with("**/") || !glob.drop_back().contains('/');
  (anywhere ? by_name_ : by_path_).push_back(std::move(*pattern));
}

bool Exclude::matches(llvm::StringRef path) const {
  if (by_name_.empty() && by_path_.empty()) return false;
  llvm::StringRef rest = path;
  const bool below = rest.consume_front(root_) && (root_ == "/" || rest.consume_front("/"));
  if (!below) return any_matches(by_name_, llvm::sys::path::filename(path));
  // Every folder on the way may be the one left out.
  for (size_t end = 0; end != llvm::StringRef::npos;) {
    end = rest.find('/', end + 1);
    const llvm::StringRef prefix = rest.substr(0, end);
    if (any_matches(by_path_, prefix)) return true;
    for (size_t start = 0; start != llvm::StringRef::npos; start = prefix.find('/', start)) {
      if (start != 0) ++start;
      if (any_matches(by_name_, prefix.substr(start))) return true;
    }
  }
  return false;
}

}  // namespace placecheck::discovery
