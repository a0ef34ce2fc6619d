// The calls of NCCL that several ranks make together, and where their arguments are.
//
// Static and constant; call from anywhere.
#pragma once

#include <cstdint>
#include <string_view>

namespace placecheck::models {

// The buffers come first, then the count and the type of the elements; behind the communicator
// comes the stream.
struct CollectiveRow {
  std::string_view name;
  uint32_t buffers = 0;
  uint32_t root = 0;  // 0: there is none
  uint32_t communicator = 0;
  bool is_pairwise = false;  // not all ranks take part
};

// Null for what is no collective.
const CollectiveRow* find_collective(std::string_view name);

}  // namespace placecheck::models
