// Which functions a program hands to callers that are not in it: those it registers with Python, or
// with a dispatcher. Their arguments, and the device that is current, are the callers'.
#pragma once

#include <string>
#include <vector>

#include "analyzer/ir/link.h"

namespace placecheck::dataflow {

struct Export {
  const ir::Function* function = nullptr;
  std::string name;  // by which it is registered, without a namespace and a schema; may be empty
};

// In the order of their registration, each once.
std::vector<Export> exported_functions(const ir::Program& program);

}  // namespace placecheck::dataflow
