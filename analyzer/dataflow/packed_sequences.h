// Sequences of different lengths in one tensor: torch.nn.utils.rnn.PackedSequence. One is an object
// that has the tensor; the lengths beside it are on the CPU.
#pragma once

#include <optional>

#include "analyzer/dataflow/call_context.h"

namespace placecheck::dataflow {

// What pack_padded_sequence() makes of a tensor; unknown for other values. `ordinal` tells apart
// the objects that one instruction makes.
Value make_packed(CallContext& context, const Value& tensor, uint32_t ordinal = 0);

// The tensor of a packed sequence; nothing for other values.
std::optional<Value> packed_tensor(CallContext& context, const Value& value);

// What pad_packed_sequence() returns: the tensor, and the lengths.
Value unpacked(CallContext& context, const Value& packed);

}  // namespace placecheck::dataflow
