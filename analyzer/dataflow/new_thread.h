// Calls that run in a thread of their own.
//
// Ownership: none. Threads: as its CallContext. Errors: none.
#pragma once

#include "analyzer/dataflow/call_context.h"

namespace placecheck::dataflow {

// What `call` yields in a thread that has selected no device. The thread at hand keeps its own, in
// the state of `context` as in those of the exits.
template <class Call>
Exits run_in_new_thread(CallContext& context, Call call) {
  const ThreadState here = context.state.thread;
  context.state.thread = ThreadState();
  Exits exits = call();
  context.state.thread = here;
  for (Exit& exit : exits) exit.state.thread = here;
  return exits;
}

}  // namespace placecheck::dataflow
