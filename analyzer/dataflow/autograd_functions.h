// Functions of autograd that the program defines: what their forward keeps for their backward, and
// where that runs.
#pragma once

#include <optional>

#include "analyzer/dataflow/call_context.h"
#include "analyzer/models/libraries/effects.h"

namespace placecheck::dataflow {

// The object that both are handed.
Value make_autograd_context(CallContext& context);

// `save_for_backward` and what reads it, of such an object, by the names of either language;
// nothing for other calls.
std::optional<Value> autograd_context_call(CallContext& context, std::string_view method,
                                           const Value& self, std::vector<Value> given);

// The same calls, where the tables know them.
bool autograd_effect(CallContext& context, models::Effect effect, Value& result);

// `output` was computed by a function whose gradients are computed by `backward`.
void note_applied(CallContext& context, const ir::Function& backward, const Value& autograd_context,
                  const Value& output);

// Runs them for the gradients of what was computed so, in states that are dropped afterwards.
void run_backward_functions(CallContext& context);

}  // namespace placecheck::dataflow
