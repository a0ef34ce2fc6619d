// Macros that a project's build scripts define for every machine with CUDA.
//
// Where no compilation database is, setup.py and CMakeLists.txt say in text what they pass to the
// compiler. What they define under a condition counts only if the condition is about CUDA.
// Ownership: values. Threads: no state; reads the disk, so cache by folder. Errors: none; what
// cannot be read defines nothing.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace placecheck::frontend {

// Defined where the scripts undefine __CUDA_NO_HALF_OPERATORS__ and the like, which PyTorch's
// tools define.
inline constexpr char kHalfOperators[] = "PLACECHECK_HALF_OPERATORS";

struct Definition {
  std::string name;
  std::string value;  // empty: none
};

// Of the scripts from `folder` up to `root`, the inner ones first; each name once.
std::vector<Definition> build_definitions(llvm::StringRef folder, llvm::StringRef root);

// What the text of one script defines.
std::vector<Definition> definitions_of_python(llvm::StringRef text);
std::vector<Definition> definitions_of_cmake(llvm::StringRef text);

}  // namespace placecheck::frontend
