// The numbers of a loop's iterations. A program that compares them means one iteration and not
// another: which these are is known of the first and, where the range ends at a constant, the last.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "analyzer/dataflow/function_layout.h"
#include "analyzer/dataflow/last_turns.h"
#include "analyzer/dataflow/state.h"

namespace placecheck::dataflow {

// The number of the iteration at hand, in all iterations but the first ones.
struct IterationNumber {
  Name symbol = 0;
  std::optional<int64_t> first;
  std::optional<int64_t> last;
  // Of a loop over a range: the first iteration has a number of its own, and knows nothing of this.
  bool is_of_range = false;
};

// Where a loop over a range, of which the elements are not taken one by one, is in its first
// iteration: this as the number of the element.
Value first_of_many();
bool is_first_of_many(const Value& turn);

// The variable that numbers the elements of a range, at the head of a loop over it.
std::string_view turn_of_range(const ir::Block& head);

// Enters a loop over a range in `layout` whose body compares the number of the iteration, or fills
// a list.
void find_numbered_loop(const Loop& loop, FunctionLayout& layout);

// Decides that the number is beyond that of the first iteration.
void assume_after_first(const IterationNumber& number, State& state, Names& names);

// Whether what this path has decided of the number can be so in the last iteration.
bool may_be_last(const IterationNumber& number, const State& state, Names& names);

// An iteration has filled a list with tensors, devices or memory since `before`: they are what they
// are because of what it decided of its number, and another iteration decides anew. Until one has
// decided otherwise, that all elements are alike is in doubt.
void doubt_choices(const IterationNumber& number, const State& before, State& state, Names& names);

}  // namespace placecheck::dataflow
