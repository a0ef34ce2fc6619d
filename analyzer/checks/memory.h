// How findings speak of memory.
#pragma once

#include <string>
#include <string_view>

#include "analyzer/checks/check.h"

namespace placecheck::checks {

// "'d_x' points to memory of cuda:0"; `otherwise` where the source has no short name for it.
std::string memory_text(const dataflow::MemoryFact& memory, const dataflow::Site& use,
                        std::string_view otherwise, const dataflow::View& view, Reporter& reporter);

// Whether a header makes the memory, or uses it, in a program that compiles headers as CUDA and as
// C++, and another file does the other: macros of that header may mean something else there.
bool is_of_other_compilation(const dataflow::MemoryFact& memory, const dataflow::Site& use,
                             const dataflow::View& view);

// Where it was allocated.
void add_memory_note(findings::Finding& finding, const dataflow::MemoryFact& memory,
                     const dataflow::Site& use, const dataflow::View& view, Reporter& reporter);

}  // namespace placecheck::checks
