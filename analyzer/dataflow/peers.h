// Which devices may use each other's memory: what a program enables, wherever it does so. What
// crosses devices is judged at the end, when that is known.
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "analyzer/dataflow/events.h"

namespace placecheck::dataflow {

class PeerAccess {
 public:
  // All devices may, whether or not the program says so.
  void assume_all() { is_known_ = false; }
  // The calls that enable it, of which each must be reached, or it is not known what it enables.
  void expect(const ir::Instruction& call) { unreached_.insert(&call); }
  void enable(const ir::Instruction& call, const Place& user, const Place& owner);

  bool may_differ() const { return !is_known_ || !unreached_.empty() || !pairs_.empty(); }
  // Whether code on `user` may reach memory of `owner`.
  bool reaches(const Place& user, const Place& owner) const;

  // To be judged when everything was seen.
  void hold(MemoryUseEvent event) { held_.push_back(std::move(event)); }
  std::vector<MemoryUseEvent> take_held() { return std::exchange(held_, {}); }

 private:
  bool is_known_ = true;
  std::set<std::pair<int32_t, int32_t>> pairs_;  // user, owner
  std::set<const ir::Instruction*> unreached_;
  std::vector<MemoryUseEvent> held_;
};

}  // namespace placecheck::dataflow
