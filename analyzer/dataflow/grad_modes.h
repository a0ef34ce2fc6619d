// Where a function decides itself whether gradients are recorded.
#pragma once

#include "analyzer/ir/ir.h"

namespace placecheck::dataflow {

// Whether a mode that the function has set, by a guard, a with-statement or a call, may be in force
// at what is written there. What its callers have set is not looked at.
bool is_in_grad_mode(const ir::Function& function, const ir::Range& at);

}  // namespace placecheck::dataflow
