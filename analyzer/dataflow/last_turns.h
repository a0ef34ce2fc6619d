// Branches whose outcome says that a loop's turn is the last. What such an outcome does must not be
// taken around the loop: no path goes there.
#pragma once

#include <cstdint>
#include <set>

#include "analyzer/dataflow/function_layout.h"

namespace placecheck::dataflow {

struct Loop {
  const ir::Function& function;
  uint32_t head = 0;
  const std::set<uint32_t>& body;  // with the head
};

// Adds the tests in a loop's body. `layout` knows what the loop stores.
void find_last_turn_tests(const Loop& loop, FunctionLayout& layout);

}  // namespace placecheck::dataflow
