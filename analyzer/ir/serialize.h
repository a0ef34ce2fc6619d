// The binary form of a unit, compact enough for a cache: a string table, then the unit in small
// numbers, then a checksum of it all.
//
// Reading never crashes: bytes that are cut off, changed or of another version yield an error, and
// the caller lowers the file anew. What was read has only the form of a unit; verify.h judges it.
// Nothing is kept between calls; any thread may call.
#pragma once

#include <string>
#include <string_view>

#include "analyzer/ir/ir.h"

namespace placecheck::ir {

// Counts up with every change of ir.h or of the layout.
inline constexpr uint32_t kSerialVersion = 2;

std::string serialize(const Unit& unit);

struct DeserializeResult {
  Unit unit;
  std::string error;  // lower case, no full stop; empty if all was read

  bool ok() const { return error.empty(); }
};

DeserializeResult deserialize(std::string_view bytes);

// The same without the checksum, to show that the reader itself holds against any bytes.
DeserializeResult deserialize_unchecked(std::string_view bytes);

}  // namespace placecheck::ir
