// Which functions of a program can concern places at all: those that handle tensors, modules,
// devices or what contains them, change globals, or call such functions. The others (a parser of
// JSON, of command lines) are worth only a few of the budget's contexts.
#pragma once

#include <unordered_set>

#include "analyzer/ir/link.h"

namespace placecheck::dataflow {

// Linear in the size of the program.
std::unordered_set<const ir::Function*> functions_that_concern_places(const ir::Program& program);

}  // namespace placecheck::dataflow
