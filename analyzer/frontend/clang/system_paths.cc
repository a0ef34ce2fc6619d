#include "analyzer/frontend/clang/system_paths.h"

#include <sys/auxv.h>

#include <cstdlib>

#include "analyzer/files/regular_file.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#if __has_include("llvm_resource_dir.h")
#include "llvm_resource_dir.h"
#endif

namespace placecheck::frontend {
namespace {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

std::string joined(llvm::StringRef folder, llvm::StringRef rest) {
  llvm::SmallString<256> full(folder);
  path::append(full, rest);
  return full.str().str();
}

std::string from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// The entries of a folder whose name starts with `prefix`, sorted.
std::vector<std::string> entries_with_prefix(llvm::StringRef folder, llvm::StringRef prefix) {
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (path::filename(it->path()).starts_with(prefix)) found.push_back(it->path());
  }
  llvm::sort(found);
  return found;
}

void add_if_there(std::vector<std::string>& folders, std::string folder) {
  if (fs::is_directory(folder) && !llvm::is_contained(folders, folder)) {
    folders.push_back(std::move(folder));
  }
}

std::vector<std::string> find_standard(const std::string& resource_dir) {
  std::vector<std::string> folders;
  // Only the newest: Clang takes that one.
  const std::vector<std::string> versions = entries_with_prefix("/usr/include/c++", "");
  for (const std::string& version : versions) add_if_there(folders, version);
  add_if_there(folders, joined(resource_dir, "include"));
  add_if_there(folders, "/usr/local/include");
  add_if_there(folders, "/usr/include/x86_64-linux-gnu");
  add_if_there(folders, "/usr/include/aarch64-linux-gnu");
  add_if_there(folders, "/usr/include");
  return folders;
}

// Takes a libtorch or Python torch folder; whether it is one.
bool take_torch(SystemPaths& paths, llvm::StringRef folder) {
  const std::string include = joined(folder, "include");
  const std::string api = joined(include, "torch/csrc/api/include");
  if (folder.empty() || !fs::exists(joined(api, "torch/torch.h"))) return false;
  paths.has_torch = true;
  if (include != "/usr/include") paths.torch.push_back(include);
  paths.torch.push_back(api);
  return true;
}

// The torch packages of the Pythons installed in `prefix`.
bool take_python_torch(SystemPaths& paths, llvm::StringRef prefix) {
  if (prefix.empty()) return false;
  const std::vector<std::string> pythons = entries_with_prefix(joined(prefix, "lib"), "python3");
  for (const std::string& python : llvm::reverse(pythons)) {
    for (llvm::StringRef packages : {"site-packages", "dist-packages"}) {
      if (take_torch(paths, joined(joined(python, packages), "torch"))) return true;
    }
  }
  return false;
}

// The folders above "bin/python3" for the Pythons of $PATH, links followed and not: a virtual
// environment's own is a link.
std::vector<std::string> python_prefixes() {
  std::vector<std::string> prefixes;
  const std::string search = from_environment("PATH");
  llvm::SmallVector<llvm::StringRef, 16> folders;
  llvm::StringRef(search).split(folders, ':', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (llvm::StringRef folder : folders) {
    // A relative one would be the analysed project's.
    if (!path::is_absolute(folder)) continue;
    const std::string python = joined(folder, "python3");
    llvm::SmallString<256> real;
    if (!files::is_regular_file(python) || fs::real_path(python, real)) continue;
    add_if_there(prefixes, path::parent_path(folder).str());
    add_if_there(prefixes, path::parent_path(path::parent_path(real)).str());
  }
  return prefixes;
}

// Python is never run to ask: in the folder of a hostile project it would run that project's code.
bool find_python_torch(SystemPaths& paths) {
  for (const std::string& prefix : python_prefixes()) {
    if (take_python_torch(paths, prefix)) return true;
  }
  const std::string home = from_environment("HOME");
  std::string pyenv = from_environment("PYENV_ROOT");
  if (pyenv.empty() && !home.empty()) pyenv = joined(home, ".pyenv");
  for (const std::string& version :
       llvm::reverse(entries_with_prefix(joined(pyenv, "versions"), "")))
    if (take_python_torch(paths, version)) return true;
  if (home.empty()) return false;
  for (llvm::StringRef conda : {"miniconda3", "anaconda3", "miniforge3", "mambaforge"}) {
    if (take_python_torch(paths, joined(home, conda))) return true;
  }
  return false;
}

void find_torch(SystemPaths& paths, bool may_need_torch) {
  const std::string home = from_environment("HOME");
  for (const char* name : {"LIBTORCH", "LIBTORCH_PATH", "Torch_ROOT"}) {
    if (take_torch(paths, from_environment(name))) return;
  }
  for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    if (take_python_torch(paths, from_environment(name))) return;
  }
  for (llvm::StringRef folder : {"/usr", "/usr/local", "/usr/local/libtorch", "/opt/libtorch"}) {
    if (take_torch(paths, folder)) return;
  }
  for (const std::string& prefix :
       {std::string("/usr/local"), std::string("/usr"), joined(home, ".local")}) {
    if (take_python_torch(paths, prefix)) return;
  }
  if (!home.empty() && take_torch(paths, joined(home, "libtorch"))) return;
  if (may_need_torch) find_python_torch(paths);
}

void find_cuda(SystemPaths& paths) {
  for (const std::string& folder :
       {from_environment("CUDA_HOME"), from_environment("CUDA_PATH"),
        std::string("/usr/local/cuda"), std::string("/opt/cuda"), std::string("/usr/lib/cuda")}) {
    const std::string include = joined(folder, "include");
    if (folder.empty() || !fs::exists(joined(include, "cuda_runtime.h"))) continue;
    paths.cuda = folder;
    paths.cuda_includes.push_back(include);
    // CUDA 13 keeps thrust and cub here.
    add_if_there(paths.cuda_includes, joined(include, "cccl"));
    return;
  }
}

void find_libraries(SystemPaths& paths) {
  std::vector<std::string>& folders = paths.libraries;
  add_if_there(folders, "/usr/include/opencv4");
  add_if_there(folders, "/usr/include/eigen3");
  const std::vector<std::string> pythons = entries_with_prefix("/usr/include", "python3.");
  for (const std::string& python : llvm::reverse(pythons)) {
    if (fs::exists(joined(python, "Python.h"))) {
      folders.push_back(python);
      break;
    }
  }
  add_if_there(folders, "/usr/lib/python3/dist-packages/pybind11/include");
  for (const std::string& prefix : {from_environment("VIRTUAL_ENV"), std::string("/usr/local")}) {
    if (prefix.empty()) continue;
    for (const std::string& python : entries_with_prefix(joined(prefix, "lib"), "python3")) {
      add_if_there(folders, joined(python, "site-packages/pybind11/include"));
      add_if_there(folders, joined(python, "dist-packages/pybind11/include"));
    }
  }
  add_if_there(folders, "/usr/lib/x86_64-linux-gnu/openmpi/include");
  add_if_there(folders, "/usr/include/hdf5/serial");
}

}  // namespace

bool SystemPaths::has_header(llvm::StringRef include) const {
  for (const auto* folders : {&standard, &torch, &cuda_includes, &libraries}) {
    for (const std::string& folder : *folders) {
      if (fs::is_regular_file(joined(folder, include))) return true;
    }
  }
  return false;
}

// An installed program brings Clang's headers; they fit its own Clang, others may not.
std::string find_resource_dir() {
  static int anchor;
  // The path that was given to exec: for where /proc is not mounted.
  const auto* started_as = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  const std::string program = fs::getMainExecutable(started_as, &anchor);
  const std::string installed =
      joined(path::parent_path(path::parent_path(program)), "lib/placecheck/clang");
  if (fs::is_directory(joined(installed, "include"))) return installed;
#if __has_include("llvm_resource_dir.h")
  if (fs::is_directory(kClangResourceDir)) return kClangResourceDir;
#endif
  return "/usr/lib/llvm-22/lib/clang/22";
}

SystemPaths find_system_paths(bool may_need_torch) {
  SystemPaths paths;
  paths.resource_dir = find_resource_dir();
  paths.standard = find_standard(paths.resource_dir);
  find_torch(paths, may_need_torch);
  find_cuda(paths);
  find_libraries(paths);
  return paths;
}

}  // namespace placecheck::frontend
