// Which function of the project a call runs, after dynamic dispatch and overload resolution.
//
// No state of its own; any thread. Errors: none; null where the project has no such function.
#pragma once

#include "analyzer/dataflow/call_context.h"

namespace placecheck::dataflow {

const ir::Function* callee_of(const CallContext& context);

// The constructor that makes an object of `type` from the call's arguments.
const ir::Function* constructor_of(const CallContext& context, const ir::Class& type);

// The `forward` that a module of class `type`, the call's first argument, runs on the others.
const ir::Function* forward_of(const CallContext& context, const ir::Class& type);

}  // namespace placecheck::dataflow
