#include "analyzer/models/libraries/collectives.h"

#include <algorithm>
#include <iterator>

namespace placecheck::models {
namespace {

// Sorted by name.
constexpr CollectiveRow kRows[] = {
    {"ncclAllGather", 2, 0, 4},     {"ncclAllReduce", 2, 0, 5},  {"ncclBcast", 1, 3, 4},
    {"ncclBroadcast", 2, 4, 5},     {"ncclRecv", 1, 0, 4, true}, {"ncclReduce", 2, 5, 6},
    {"ncclReduceScatter", 2, 0, 5}, {"ncclSend", 1, 0, 4, true},
};
static_assert(std::ranges::is_sorted(kRows, {}, &CollectiveRow::name),
              "look-up is by binary search");

}  // namespace

const CollectiveRow* find_collective(std::string_view name) {
  const auto* row = std::ranges::lower_bound(kRows, name, {}, &CollectiveRow::name);
  return row != std::end(kRows) && row->name == name ? row : nullptr;
}

}  // namespace placecheck::models
