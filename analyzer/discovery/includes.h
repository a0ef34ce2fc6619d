// The #include lines of a text, as they stand there: no preprocessor runs.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace placecheck::discovery {

struct Include {
  std::string name;  // as written between the quotes
  bool quoted = false;
  bool conditional = false;  // between #if and #endif, other than those around the whole file
};

// The includes of a source text, in order, comments at line starts ignored and no condition
// decided.
std::vector<Include> scan_includes(llvm::StringRef text);

}  // namespace placecheck::discovery
