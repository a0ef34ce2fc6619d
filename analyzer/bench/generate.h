// Programs to measure with: libtorch trainings as text, and large programs as IR.
//
// Values only; any thread may call.
#pragma once

#include <string>

#include "analyzer/ir/ir.h"

namespace placecheck::bench {

// The `number`-th of a set of trainings, of the size of public ones: 100 to 300 lines, a few module
// classes, a loop; include lists differ from file to file.
std::string training_program(unsigned number);

// A program of `functions` functions, each of which moves a tensor or not and calls the next of its
// chain; chains are 30 calls deep, every fifth function loops, and main calls them all.
ir::Unit large_program(unsigned functions);

}  // namespace placecheck::bench
