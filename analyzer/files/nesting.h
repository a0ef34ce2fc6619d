// How deep a text nests, found without recursion: parsers that recurse are given no text that would
// overflow their stack.
//
// Ownership: none. Threads: any. Errors: none; of a text that is not well formed the answer is an
// upper bound of how deep a parser can get.
#pragma once

#include <cstddef>

#include "llvm/ADT/StringRef.h"

namespace placecheck::files {

inline constexpr size_t kMaxNesting = 200;

// Arrays and objects within one another.
size_t json_nesting(llvm::StringRef text);

// Brackets, and indicators of lists and keys on one line. Brackets in plain text count too.
size_t yaml_nesting(llvm::StringRef text);

}  // namespace placecheck::files
