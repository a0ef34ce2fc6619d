#include "analyzer/models/operators/operators.h"

#include <algorithm>
#include <iterator>

namespace placecheck::models {
namespace {

// Short names for the rows.
using Rule = DeviceRule;
using Place = ResultPlace;
using Rank = ResultRank;
using Kind = ResultKind;

#include "analyzer/models/operators/operators.inc"

static_assert(std::ranges::is_sorted(kOperators, {}, &Operator::name));

}  // namespace

std::span<const Operator> all_operators() { return kOperators; }

const Operator* find_operator(std::string_view name) {
  const auto* row = std::lower_bound(
      std::begin(kOperators), std::end(kOperators), name,
      [](const Operator& candidate, std::string_view key) { return candidate.name < key; });
  return row != std::end(kOperators) && row->name == name ? row : nullptr;
}

}  // namespace placecheck::models
