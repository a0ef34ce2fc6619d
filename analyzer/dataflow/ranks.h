// Which names are those of ranks, and which conditions tell ranks apart.
//
// Pure functions; any thread may call them.
#pragma once

#include <string_view>

#include "analyzer/dataflow/state.h"

namespace placecheck::dataflow {

// "rank", "world_rank", "myRank", but not the rank within a part of all.
bool names_rank(std::string_view name);

// "root", "src", "dst": the one rank that has or gets something.
bool names_chosen_rank(std::string_view name);

// Whether the condition compares a rank with a number or a chosen rank, so that it holds for some
// of the ranks. A negative number stands for a program that has none.
bool tells_ranks_apart(Name condition, const Names& names);

// Whether that condition, which holds or not, leaves one rank only.
bool leaves_one_rank(Name condition, bool holds, const Names& names);

// Whether the condition asks something else of a rank that may tell ranks apart, too.
bool is_about_ranks(Name condition, const Names& names);

// Whether a device is numbered by a rank, so that each process has another one.
bool is_of_rank(const Place& place, const Names& names);

// Whether one device is the same in each process, and the other that of its rank.
bool differ_by_rank(const Place& fixed, const Place& of_rank, const Names& names);

// The global that is true where a process group has several ranks, of which the program numbers
// none itself.
inline constexpr std::string_view kSeveralRanks = "<the ranks of the process group>";
bool has_several_ranks(const State& state, const Names& names);

}  // namespace placecheck::dataflow
