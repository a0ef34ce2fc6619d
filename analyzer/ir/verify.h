// Names what is wrong with a unit: the invariants that every pass relies on.
//
// A unit without violations is safe to link, solve, print and serialize. Reads only; any thread may
// verify what nobody is changing.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/ir/ir.h"

namespace placecheck::ir {

struct Violation {
  std::string_view invariant;  // its name in invariants()
  std::string where;           // "function 'KEY', bb0, instruction 2: ..."
};

// What a check writes to: it knows which invariant is being looked at.
class Report {
 public:
  Report(std::string_view invariant, std::vector<Violation>& out)
      : invariant_(invariant), out_(out) {}
  void add(std::string where) { out_.push_back({invariant_, std::move(where)}); }

 private:
  std::string_view invariant_;
  std::vector<Violation>& out_;
};

struct Invariant {
  std::string_view name;
  void (*check)(const Unit& unit, Report& report);
};

// All of them, in the order in which they are checked.
std::span<const Invariant> invariants();

// All violations; empty for a sound unit. Takes time linear in the size of the unit.
std::vector<Violation> verify(const Unit& unit);

// Removes the functions that break an invariant by themselves and returns the first that each
// broke, so that one function which a front end got wrong does not cost the file.
std::vector<Violation> drop_unsound_functions(Unit& unit);

// One violation a line, for people.
std::string to_string(const std::vector<Violation>& violations);

}  // namespace placecheck::ir
