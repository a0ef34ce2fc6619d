// Files that the checker brings itself, laid over the file system: they are nobody's sources.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace placecheck::files {

inline bool is_built_in(llvm::StringRef path) { return path.starts_with("/__placecheck/"); }

}  // namespace placecheck::files
