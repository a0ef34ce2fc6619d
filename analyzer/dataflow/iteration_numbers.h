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

// The number of the current iteration, as a symbol; the first iteration's is `first`.
struct IterationNumber {
  Name symbol = 0;
  std::optional<int64_t> first;
  std::optional<int64_t> last;
  // Of a loop over a range, whose first iteration assumes nothing about the symbol.
  bool is_of_range = false;
};

// What loop.begin gives for a range whose elements are not taken one by one: marks the first
// iteration. The number of each later one is unknown.
Value first_of_many();
bool is_first_of_many(const Value& turn);

// The variable that numbers the elements of a range, at the head of a loop over it.
std::string_view turn_of_range(const ir::Block& head);

// Enters in `layout` the variables that one instruction alone changes in a loop.
void find_counted_variables(const ir::Function& function, FunctionLayout& layout);

// The value of such a variable in the last iteration, where the bound is known.
std::optional<int64_t> last_value(const CountedVariable& counted, const State& state);

// Enters a loop over a range in `layout` whose body compares the number of the iteration, or fills
// a list.
void find_numbered_loop(const Loop& loop, FunctionLayout& layout);

// Enters the loops over ranges in `layout` that end nowhere but where there are no more elements.
void find_whole_loops(const ir::Function& function, FunctionLayout& layout);

// Decides that the number is beyond that of the first iteration.
void assume_after_first(const IterationNumber& number, State& state, Names& names);

// Whether what this path has decided of the number can be so in the last iteration.
bool may_be_last(const IterationNumber& number, const State& state, Names& names);

// Where iterations have added tensors, devices or pointers to a list since `before`, the state at
// the loop's entry, and have always decided the same about their number, the state becomes inexact:
// no run adds such elements alone. So it does where this iteration `moves_nothing`: no run passes
// over what it skips in every iteration. It is exact again once another one has decided the
// opposite.
void doubt_choices(const IterationNumber& number, const State& before, bool moves_nothing,
                   State& state, Names& names);

}  // namespace placecheck::dataflow
