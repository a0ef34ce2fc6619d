// Copies from a device to memory of the host that the caller does not wait for, and reads of that
// memory before anything has waited.
#pragma once

#include "analyzer/dataflow/call_context.h"
#include "analyzer/dataflow/engine.h"

namespace placecheck::dataflow {

// Of a library's call, before it is carried out: does it wait, or read what a copy still writes?
void note_wait_or_read(CallContext& context);
// And afterwards: is it such a copy?
void note_copy(CallContext& context, Exits& exits);
// The host reads memory through a pointer or an element.
void note_host_read(Activation& activation, const State& state, const Value& accessed,
                    const ir::Range& range);
// The host reads a tensor by a method that is not modelled otherwise.
void note_tensor_read(CallContext& context, const Value& tensor, std::string_view method,
                      const ir::Range& range);
// Forgets the copies that began since `entry` to memory that nothing in `state` has any more:
// nobody can read that too early. Each turn of a loop would leave one behind.
void drop_unread_copies(State& state, const State& entry, Names& names);
// Somebody may have waited.
void forget_copies(State& state, Names& names);

}  // namespace placecheck::dataflow
