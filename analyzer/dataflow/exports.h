// Which functions a program hands to callers that are not in it: those it registers with Python, or
// with a dispatcher. Their arguments, and the device that is current, are the callers'.
#pragma once

#include <vector>

#include "analyzer/ir/link.h"

namespace placecheck::dataflow {

// In the order of their registration, each once.
std::vector<const ir::Function*> exported_functions(const ir::Program& program);

}  // namespace placecheck::dataflow
