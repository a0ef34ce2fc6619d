// Lowers one Python source file to an ir::Unit, with tree-sitter.
//
// lower_file owns nothing after it returns, keeps no state between calls and may be called by
// several threads at once. It never fails: where the file breaks the grammar the place is counted
// and the rest is lowered; what cannot be understood becomes a call of nothing.
#pragma once

#include "analyzer/frontend/clang/lower.h"

namespace placecheck::frontend::python {

// The files of the modules that a lowered one runs by importing them.
std::vector<std::string> imports_of(const ir::Unit& unit);

// Uses `path` and `file_system` of the input, and nothing else.
LowerResult lower_file(const LowerInput& input);

}  // namespace placecheck::frontend::python
