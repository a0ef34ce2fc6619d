#include "analyzer/dataflow/implication.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "analyzer/dataflow/state.h"

namespace placecheck::dataflow {
namespace {

constexpr size_t kMost = 16;

bool satisfies(const State& state, const Implication& rule) {
  return state.assumed(rule.condition) == !rule.holds ||
         state.assumed(rule.then) == rule.then_holds ||
         std::ranges::find(state.implications, rule) != state.implications.end();
}

using Assumptions = std::vector<std::pair<Name, bool>>;

// What `path` assumed and `other` did not.
Assumptions own_assumptions(const State& path, const State& other) {
  Assumptions own;
  std::ranges::copy_if(path.assumptions, std::back_inserter(own), [&](const auto& entry) {
    return other.assumed(entry.first) != entry.second;
  });
  return own;
}

// Which decisions the join of two states that are not exact rests on, before it gives up what only
// one of them has decided.
void join_doubts(State& kept, const State& other) {
  kept.approximate = kept.approximate || other.approximate;
  auto are_both_ways = [&](Name condition) {
    std::optional<bool> one = kept.assumed(condition), another = other.assumed(condition);
    return one && another && *one != *another;
  };
  for (Name condition : other.doubted) {
    if (std::ranges::find(kept.doubted, condition) != kept.doubted.end()) continue;
    kept.doubted.push_back(condition);
  }
  std::erase_if(kept.doubted, are_both_ways);
  // The join does not say any more how it was decided.
  auto is_lost = [&](Name condition) {
    return kept.assumed(condition) != other.assumed(condition);
  };
  if (std::erase_if(kept.doubted, is_lost) != 0) kept.approximate = true;
}

}  // namespace

bool keep_common_assumptions(State& kept, const State& other) {
  const bool was_exact = kept.has_exact_path();
  if (was_exact || other.has_exact_path()) {
    kept.approximate = false;
    kept.doubted.clear();
  } else {
    join_doubts(kept, other);
  }
  const Assumptions own = own_assumptions(kept, other);
  const Assumptions others = own_assumptions(other, kept);
  // One path or the other was taken: where an assumption of the one fails, those of the other hold.
  std::vector<Implication> implied;
  for (const auto& [condition, holds] : own) {
    for (const auto& [then, then_holds] : others)
      if (then != condition) implied.push_back({condition, !holds, then, then_holds});
  }
  std::ranges::copy_if(other.implications, std::back_inserter(implied),
                       [&](const Implication& rule) { return satisfies(kept, rule); });
  size_t erased = std::erase_if(kept.implications,
                                [&](const Implication& rule) { return !satisfies(other, rule); });
  erased += std::erase_if(kept.assumptions, [&](const auto& entry) {
    return std::ranges::find(own, entry) != own.end();
  });
  for (const Implication& rule : implied) add_implication(kept, rule);
  for (Name condition : other.forgotten) kept.lose(condition);
  return erased != 0 || (!was_exact && kept.has_exact_path());
}

void add_implication(State& state, const Implication& rule) {
  if (std::ranges::find(state.implications, rule) != state.implications.end()) return;
  // Only who decides both can contradict it.
  if (state.implications.size() == kMost) return state.lose(rule.then);
  state.implications.push_back(rule);
}

}  // namespace placecheck::dataflow
