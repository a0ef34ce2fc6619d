// Whether some run comes to a state, where that rests on conditions of which nobody knows how they
// are decided.
//
// A path that decides such a condition may be one of no run. Where the paths that have decided
// otherwise meet again, one of them is: what the joined state shows is true of a run. Kept as a
// disjunction of conjunctions, one for each path that was joined. Small: what does not fit is not
// counted, which can hide a finding, but not make one.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/dataflow/names.h"

namespace placecheck::dataflow {

class Doubts {
 public:
  // However those conditions are decided, some run comes here.
  bool is_exact() const { return paths_.size() == 1 && paths_.front().empty(); }

  // From here on, only where the condition is decided so.
  void decide(Name condition, bool holds);
  // From here on, only if a run gets there, which nothing that follows will tell.
  void give_up() { paths_.clear(); }
  // How those conditions were decided does not matter any more.
  void settle(Name condition);
  // Those conditions mean something else from now on.
  void forget_if(const std::function<bool(Name)>& is_meant);
  // From here on, only where `other` holds as well.
  void conjoin(const Doubts& other);
  // One path or the other comes here. Whether that says more than before.
  bool join(const Doubts& other);
  // Whether neither is exact, but their disjunction is.
  static bool are_complementary(const Doubts& a, const Doubts& b);

  std::string to_text(const Names& names) const;

 private:
  // Sorted; each condition once.
  using Path = std::vector<std::pair<Name, bool>>;

  void simplify();

  std::vector<Path> paths_ = {{}};
};

// The calls on paths of which nobody knows whether a run takes them. Activations are numbered.
class DoubtfulCalls {
 public:
  // `is_certain`: a run comes to the caller. `doubts`: of its path to the call.
  void note(uint64_t caller, bool is_certain, uint64_t callee, const Doubts& doubts);
  // Whether a run comes to one of those activations, whichever way its conditions are decided.
  bool reaches(std::set<uint64_t> callees) const;

 private:
  struct Caller {
    bool is_certain = false;
    std::map<uint64_t, Doubts> paths;  // by callee
  };
  std::map<uint64_t, Caller> callers_;
};

}  // namespace placecheck::dataflow
