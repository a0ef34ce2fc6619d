// What is known of the memory that pointers and objects lead to.
//
// No state of its own; any thread. Errors: none, what is not known has an unknown place.
#pragma once

#include <string_view>

#include "analyzer/dataflow/call_context.h"

namespace placecheck::dataflow {

// Fields of objects of the host: whether devices reach them, and whether they were made in memory
// which their class, or their maker, provides.
inline constexpr std::string_view kPinnedField = "pinned";
inline constexpr std::string_view kElsewhereField = "elsewhere";

// The memory that a pointer leads to.
MemoryFact memory_behind(const Value& pointer);

// The memory that argument `i` leads to; of unknown place if it is no pointer that is known.
MemoryFact memory_at(CallContext& context, size_t i);

}  // namespace placecheck::dataflow
