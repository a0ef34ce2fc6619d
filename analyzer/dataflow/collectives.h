// What a thread asked of its communicators and has not finished: part of a state.
#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/dataflow/value.h"

namespace placecheck::dataflow {

// One rank's part in a collective.
struct Collective {
  Name operation = 0;
  Name communicator = 0;  // of all ranks that belong together
  int64_t rank = 0;
  Value count;
  Value dtype;
  Value root;
  OriginId at = 0;  // no part of what is compared

  bool operator==(const Collective& other) const {
    return operation == other.operation && communicator == other.communicator &&
           rank == other.rank && same(count, other.count) && same(dtype, other.dtype) &&
           same(root, other.root);
  }
};

struct Collectives {
  int32_t depth = 0;        // of groups that are open
  bool is_known = true;     // which calls the open group has, and whether one is open
  bool is_callers = false;  // nothing was opened yet, and the caller may have done so
  OriginId opened_at = 0;   // no part of what is compared
  // Of the open group; outside of groups the last one of each operation.
  std::vector<Collective> calls;

  bool operator==(const Collectives& other) const {
    return depth == other.depth && is_known == other.is_known && is_callers == other.is_callers &&
           calls == other.calls;
  }
};

inline Collectives join(const Collectives& a, const Collectives& b) {
  Collectives joined = a;
  if (a == b) return joined;
  joined.is_known = false;
  joined.is_callers |= b.is_callers;
  joined.calls.clear();
  return joined;
}

}  // namespace placecheck::dataflow
