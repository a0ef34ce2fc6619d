// Stand-ins for third-party libraries: one text per library, found under all its header names.
//
// Ownership: the texts are static. Threads: no state. Errors: none.
#pragma once

#include <vector>

#include "analyzer/frontend/clang/shims.h"

namespace placecheck::frontend {

void add_library_shims(std::vector<Shim>& shims);

}  // namespace placecheck::frontend
