#include "analyzer/frontend/clang/header_index.h"

#include <algorithm>
#include <tuple>

#include "analyzer/frontend/clang/project_layout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace placecheck::frontend {
namespace {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

// Enough for every repository measured; a home folder taken for a project must not stall the run.
constexpr size_t kMaxHeaders = 200'000;
constexpr size_t kMaxFolders = 50'000;

// Sources are in too: programs include their kernels.
bool can_be_included(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(path::extension(name).lower())
      .Cases({".h", ".hh", ".hpp", ".hxx", ".h++", ".cuh"}, true)
      .Cases({".inl", ".inc", ".ipp", ".tpp", ".tcc", ".def"}, true)
      .Cases({".c", ".cc", ".cpp", ".cxx", ".cu"}, true)
      .Default(false);
}

bool is_searched(llvm::StringRef name) {
  return !name.starts_with(".") && name != "node_modules" && name != "__pycache__" &&
         !name.starts_with("bazel-");
}

// Steps through the tree from one folder to the other.
size_t distance(llvm::StringRef from, llvm::StringRef to) {
  auto a = path::begin(from), a_end = path::end(from);
  auto b = path::begin(to), b_end = path::end(to);
  while (a != a_end && b != b_end && *a == *b) ++a, ++b;
  return std::distance(a, a_end) + std::distance(b, b_end);
}

}  // namespace

HeaderIndex::HeaderIndex(std::string root) : root_(std::move(root)) {
  std::vector<std::string> folders = {root_};
  // Level by level, so that a limit cuts off the deepest first.
  for (size_t i = 0; i < folders.size(); ++i) {
    if (i >= kMaxFolders || count_ >= kMaxHeaders) {
      complete_ = false;
      break;
    }
    std::vector<std::string> next;
    add_folder(folders[i], next);
    folders.insert(folders.end(), next.begin(), next.end());
  }
  for (auto& entry : by_name_) llvm::sort(entry.second);
}

void HeaderIndex::add_folder(const std::string& folder, std::vector<std::string>& next) {
  std::error_code error;
  for (fs::directory_iterator it(folder, error, /*follow_symlinks=*/false), end;
       !error && it != end; it.increment(error)) {
    const llvm::StringRef name = path::filename(it->path());
    fs::file_type type = it->type();
    // A link to a header is one; a link to a folder could lead in circles.
    if (type == fs::file_type::symlink_file && fs::is_regular_file(it->path())) {
      type = fs::file_type::regular_file;
    }
    if (type == fs::file_type::directory_file && is_searched(name)) next.push_back(it->path());
    if (type != fs::file_type::regular_file || !can_be_included(name)) continue;
    by_name_[name].push_back(it->path());
    ++count_;
  }
  llvm::sort(next);
}

std::vector<llvm::StringRef> HeaderIndex::ending_in(llvm::StringRef include) const {
  std::vector<llvm::StringRef> found;
  const auto entry = by_name_.find(path::filename(include));
  if (entry == by_name_.end()) return found;
  for (llvm::StringRef candidate : entry->second) {
    llvm::StringRef front = candidate;
    if (front.consume_back(include) && front.ends_with("/")) found.push_back(candidate);
  }
  return found;
}

llvm::StringRef HeaderIndex::nearest(llvm::StringRef include, llvm::StringRef folder,
                                     bool skip_torch) const {
  llvm::StringRef best;
  const auto rank = [&](llvm::StringRef candidate) {
    return std::tuple(distance(folder, path::parent_path(candidate)), candidate.size(), candidate);
  };
  for (llvm::StringRef candidate : ending_in(include)) {
    if (skip_torch && is_torch_copy(candidate, root_)) continue;
    if (best.empty() || rank(candidate) < rank(best)) best = candidate;
  }
  return best;
}

}  // namespace placecheck::frontend
