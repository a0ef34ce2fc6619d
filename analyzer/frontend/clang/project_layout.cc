#include "analyzer/frontend/clang/project_layout.h"

#include <algorithm>

#include "analyzer/files/regular_file.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace placecheck::frontend {
namespace {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

constexpr unsigned kOldestStandard = 17;

// Whoever keeps one of these means this folder to be the top.
constexpr llvm::StringLiteral kTopMarkers[] = {
    ".git", ".hg", "WORKSPACE", "MODULE.bazel", "WORKSPACE.bazel", "compile_commands.json"};

constexpr llvm::StringLiteral kVendorFolders[] = {
    "third_party", "third-party",  "thirdparty",   "3rdparty", "3rd_party",
    "external",    "extern",       "externals",    "vendor",   "vendored",
    "_deps",       "node_modules", "site-packages"};

bool has(llvm::StringRef folder, llvm::StringRef name) {
  llvm::SmallString<256> full(folder);
  path::append(full, name);
  return fs::exists(full);
}

bool is_top(llvm::StringRef folder) {
  return llvm::any_of(kTopMarkers, [&](llvm::StringRef marker) { return has(folder, marker); });
}

// The outermost of the folders from `folder` upwards that have a CMakeLists.txt; one folder
// without may lie between, as in project/src/app.
std::string outermost_cmake(llvm::StringRef folder) {
  llvm::StringRef best;
  unsigned gap = 0;
  for (; !folder.empty() && folder != "/" && gap < 3; folder = path::parent_path(folder)) {
    gap = has(folder, "CMakeLists.txt") ? 0 : gap + 1;
    if (gap == 0) best = folder;
  }
  return best.str();
}

// The folders outside of its own that a CMakeLists.txt names: `../../utils`, also behind
// `${CMAKE_CURRENT_SOURCE_DIR}/`.
std::vector<std::string> folders_named_above(llvm::StringRef folder) {
  llvm::SmallString<256> file(folder);
  path::append(file, "CMakeLists.txt");
  const auto buffer = files::read_regular_file(file, files::kMaxSource);
  std::vector<std::string> named;
  if (!buffer) return named;
  llvm::StringRef rest = (*buffer)->getBuffer();
  for (size_t at = rest.find("../"); at != llvm::StringRef::npos; at = rest.find("../")) {
    rest = rest.substr(at);
    const llvm::StringRef relative = rest.take_front(rest.find_first_of(" \t\r\n\");"));
    rest = rest.substr(relative.size());
    llvm::SmallString<256> full(folder);
    path::append(full, relative);
    path::remove_dots(full, /*remove_dot_dot=*/true);
    if (fs::is_directory(full)) named.push_back(std::string(full));
  }
  return named;
}

bool is_described(llvm::StringRef folder) {
  return llvm::any_of(
      llvm::ArrayRef<llvm::StringLiteral>{"README.md", "README.rst", "README", "README.txt",
                                          "LICENSE", "LICENSE.md", "LICENSE.txt"},
      [&](llvm::StringRef name) { return has(folder, name); });
}

// A program that is one of many may build what lies beside all of them: the folder that holds both
// it and what its CMakeLists.txt names, or the one above, where that describes itself; else
// `folder`.
std::string with_named_folders(llvm::StringRef folder) {
  llvm::StringRef top = folder;
  const std::vector<std::string> named = folders_named_above(folder);
  for (const std::string& each : named) {
    llvm::StringRef above = top;
    while (!is_below(each, above)) above = path::parent_path(above);
    if (above != top && !is_described(above)) above = path::parent_path(above);
    if (above.size() > 1 && is_described(above)) top = above;
  }
  return top.str();
}

// A folder called src has its headers beside it.
llvm::StringRef above_source_folder(llvm::StringRef folder) {
  static constexpr llvm::StringLiteral kNames[] = {"src",  "source", "sources",
                                                   "csrc", "cpp",    "app"};
  const llvm::StringRef parent = path::parent_path(folder);
  const bool has_name = llvm::is_contained(kNames, path::filename(folder));
  // Never so far up that everybody's files come in.
  return has_name && std::distance(path::begin(parent), path::end(parent)) > 3 ? parent : folder;
}

bool is_vendor_name(llvm::StringRef name) {
  const std::string lower = name.lower();
  return llvm::is_contained(kVendorFolders, llvm::StringRef(lower)) ||
         llvm::StringRef(lower).starts_with("libtorch");
}

unsigned standard_in(llvm::StringRef text) {
  unsigned found = 0;
  for (llvm::StringRef marker :
       {"CMAKE_CXX_STANDARD ", "CXX_STANDARD ", "cxx_std_", "-std=c++", "-std=gnu++"}) {
    for (size_t at = text.find(marker); at != llvm::StringRef::npos;
         at = text.find(marker, at + 1)) {
      unsigned number = 0;
      llvm::StringRef rest = text.substr(at + marker.size()).ltrim(" \"");
      if (!rest.consumeInteger(10, number) && number < 30) found = std::max(found, number);
    }
  }
  return found;
}

}  // namespace

bool is_below(llvm::StringRef path, llvm::StringRef folder) {
  if (folder.empty() || !path.consume_front(folder)) return false;
  return path.empty() || folder.ends_with("/") || path.starts_with("/");
}

bool is_torch_copy(llvm::StringRef path, llvm::StringRef root) {
  // The folders above the root are the user's own affair.
  path.consume_front(root);
  return path.contains("/torch/csrc/") || path.contains("/include/torch/") ||
         path.contains("/ATen/") || path.contains("/c10/") || path.contains("/libtorch/");
}

ProjectLayout::ProjectLayout(const std::vector<std::string>& named) {
  for (const std::string& one : named) {
    named_folders_.push_back(fs::is_directory(one) ? one : path::parent_path(one).str());
  }
  llvm::sort(named_folders_, [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() > b.size() : a < b;
  });
  named_folders_.erase(std::unique(named_folders_.begin(), named_folders_.end()),
                       named_folders_.end());
}

std::string ProjectLayout::root_of(llvm::StringRef file) const {
  const llvm::StringRef start = path::parent_path(file);
  for (llvm::StringRef folder = start; !folder.empty() && folder != "/";
       folder = path::parent_path(folder)) {
    if (is_top(folder)) return folder.str();
  }
  if (const std::string cmake = outermost_cmake(start); !cmake.empty())
    return with_named_folders(cmake);
  // The widest folder the user named is the most he showed of his project.
  for (const std::string& folder : llvm::reverse(named_folders_)) {
    if (is_below(file, folder)) return above_source_folder(folder).str();
  }
  return above_source_folder(start).str();
}

bool ProjectLayout::is_vendored(llvm::StringRef file, llvm::StringRef root) const {
  // Who names a folder inside third_party asks for that code to be checked.
  llvm::StringRef base = root;
  for (const std::string& folder : named_folders_) {
    if (folder.size() > base.size() && is_below(file, folder)) {
      base = folder;
      break;
    }
  }
  if (is_torch_copy(file, base)) return true;
  const llvm::StringRef folder = path::parent_path(file);
  const llvm::StringRef rest = folder.drop_front(std::min(base.size(), folder.size()));
  return std::any_of(path::begin(rest), path::end(rest), is_vendor_name);
}

unsigned wanted_standard(llvm::StringRef folder, llvm::StringRef root) {
  unsigned standard = kOldestStandard;
  for (; is_below(folder, root); folder = path::parent_path(folder)) {
    for (llvm::StringRef name : {"CMakeLists.txt", "setup.py", "Makefile"}) {
      llvm::SmallString<256> full(folder);
      path::append(full, name);
      if (auto buffer = files::read_regular_file(full, files::kMaxSource)) {
        standard = std::max(standard, standard_in((*buffer)->getBuffer()));
      }
    }
  }
  return standard >= 23 ? 23 : standard >= 20 ? 20 : kOldestStandard;
}

}  // namespace placecheck::frontend
