// How a function's slots, blocks and loops lie: what its interpreter asks of it before it runs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "analyzer/dataflow/device_selection.h"
#include "analyzer/ir/ir.h"
#include "analyzer/ir/link.h"

namespace placecheck::dataflow {

// A branch on a comparison with what counts a loop's turns, like `if (epoch == epochs - 1)`.
struct LastTurnTest {
  uint32_t head = 0;     // of the loop
  bool last_if = false;  // the outcome on which this turn may be its last
};

// A variable that one instruction alone changes in a loop whose condition compares it with a bound:
// a constant, or a variable that the loop leaves alone. Its last value is as much above that.
struct CountedVariable {
  std::optional<int64_t> constant;
  std::optional<uint32_t> variable;  // its slot
  int64_t above = 0;
};

struct NumberedLoop {
  uint32_t head = 0;
  bool decides = false;    // its body compares the number of the iteration
  bool has_loops = false;  // in its body
};

// How a function's slots and blocks lie.
struct FunctionLayout {
  const ir::Function* function = nullptr;
  const ir::Unit* unit = nullptr;
  std::unordered_map<std::string, uint32_t> slots;
  std::vector<std::vector<bool>> live_in;  // per block, per slot
  // Per block, its position in an order in which a block comes after all that lead to it, other
  // than from within a loop, and what follows a loop after the loop's blocks.
  std::vector<uint32_t> ranks;
  // Per block, the last position in that order from which it is reached again; its own outside of
  // loops. `by_last_rank`: the blocks, sorted by that.
  std::vector<uint32_t> last_ranks;
  std::vector<uint32_t> by_last_rank;
  // By the edge (from, to) that closes it, each loop's blocks, with its head.
  std::map<std::pair<uint32_t, uint32_t>, std::set<uint32_t>> loops;
  std::vector<bool> is_loop_head;   // per block: a back edge leads to it
  std::vector<bool> in_condition;   // per block: between a loop's head and the branch that decides
  std::vector<bool> ends_in_raise;  // per block: every way from it ends in an exception
  // The edges (from, to) that are the only way out of a loop, other than by an exception.
  std::set<std::pair<uint32_t, uint32_t>> only_ways_out;
  std::unordered_map<uint32_t, std::vector<bool>> stored_in_loop;  // per loop head, per slot
  // Per loop head: the variables of texts that its iterations append to.
  std::unordered_map<uint32_t, std::set<uint32_t>> texts_of_loop;
  // Per loop head: the variables that number the devices or elements which the turns take.
  std::unordered_map<uint32_t, std::vector<uint32_t>> counters;
  // Per head of a loop over a range: which of these it is that numbers the range's elements.
  std::unordered_map<uint32_t, uint32_t> range_counters;
  // Per loop head, per slot.
  std::unordered_map<uint32_t, std::unordered_map<uint32_t, CountedVariable>> counted;
  // Per slot: a counter whose remainder selects an element, or a device, in a loop.
  std::vector<bool> is_round_robin;
  // Loops over ranges whose body compares the number of the iteration, or fills a list, by what
  // takes their elements, and what numbers these.
  std::unordered_map<ir::Register, NumberedLoop> numbered_loops;
  // By what takes their elements: loops over ranges that take all of them, or end in an exception.
  std::unordered_set<ir::Register> whole_loops;
  std::set<uint32_t> device_loops;  // heads of loops that do something with devices
  // Those that select devices by a number computed from their counter's.
  std::set<uint32_t> loops_beyond_counter;
  std::vector<bool> is_counter;                        // per slot, of any such loop
  std::vector<std::vector<uint32_t>> counters_around;  // per block, of the loops that it is in
  std::unordered_map<uint32_t, std::vector<LastTurnTest>> last_turn_tests;  // by block
  std::vector<const ir::Instruction*> definitions;  // per register, the instruction that sets it
};

// `uses`: what functions do with the counters that loops hand them.
FunctionLayout lay_out(const ir::Function& function, const ir::Unit* unit, const NumberUses& uses);

}  // namespace placecheck::dataflow
