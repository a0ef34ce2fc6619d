// Where this machine keeps Clang's own headers, the standard library, libtorch, CUDA and the like.
//
// Ownership: values only. Threads: const use is safe. Errors: what is not installed is empty.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace placecheck::frontend {

struct SystemPaths {
  std::string resource_dir;           // Clang's own headers, below "include"
  std::vector<std::string> standard;  // where the compiler looks by itself
  std::vector<std::string> torch;     // include folders of libtorch, /usr/include left out
  bool has_torch = false;
  std::string cuda;  // the toolkit's folder
  std::vector<std::string> cuda_includes;
  std::vector<std::string> libraries;  // OpenCV, Eigen, Python, pybind11, MPI ...

  // Whether any of these folders has the header. Reads the disk: cache by name.
  bool has_header(llvm::StringRef include) const;
};

// Reads the environment ($LIBTORCH, $CUDA_HOME, $VIRTUAL_ENV, ...) and the disk; runs nothing.
// Looks through the Pythons of $PATH only where `may_need_torch` holds and no libtorch is found
// otherwise.
SystemPaths find_system_paths(bool may_need_torch);

// SystemPaths::resource_dir alone.
std::string find_resource_dir();

}  // namespace placecheck::frontend
