// Where one condition decides another: what is left of what two paths assumed, after they have met.
//
//   if (fast && peers) select(1);    // not both, or device 1
//   if (peers && fast) launch();     // both: device 1
//
// No state of its own; any thread. Errors: none.
#pragma once

#include <set>
#include <span>

#include "analyzer/dataflow/names.h"

namespace placecheck::dataflow {

class State;

// Where `condition` is `holds`, `then` is `then_holds`.
struct Implication {
  Name condition = 0;
  bool holds = false;
  Name then = 0;
  bool then_holds = false;

  bool operator==(const Implication&) const = default;
};

// Which results of single calls a state still holds: of others no condition is decided again.
// Looks only when it is asked.
class LiveSymbols {
 public:
  // `visible`: what the caller holds, sorted. Without names, everything is taken for live.
  LiveSymbols() = default;
  LiveSymbols(const Names& names, std::span<const Name> visible)
      : names_(&names), visible_(visible) {}

  bool may_be_decided(Name condition, const State& state);

 private:
  void collect(const State& state);
  // Adds the symbols that `name` is made of.
  void add(Name name);
  bool is_live(Name condition) const;

  const Names* names_ = nullptr;
  std::span<const Name> visible_;
  std::set<Name> symbols_;
  bool is_collected_ = false;
};

// Leaves in `kept` what both paths assumed, and what in either depends on how they differ. What the
// one has forgotten, both have; what some run reaches on one of them, it reaches. True if `kept`
// assumed more before, or no run was known to reach it.
bool keep_common_assumptions(State& kept, const State& other, LiveSymbols live = {});

// Adds what holds on a path. One of too many is forgotten, which the state knows.
void add_implication(State& state, const Implication& rule);

}  // namespace placecheck::dataflow
