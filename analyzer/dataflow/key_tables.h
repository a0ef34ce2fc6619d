// Tables that a program keeps itself, from the names of a module's parameters and buffers to
// tensors: whose names they have.
#pragma once

#include <string_view>

#include "analyzer/dataflow/state.h"

namespace placecheck::dataflow {

// The type of an object that stands for each of a module's names, and its field that leads to them.
inline constexpr std::string_view kKeyType = "a key of a state dict";
inline constexpr std::string_view kKeyOwner = "parameters";

// The module of which a value is a name; none for any other value.
ObjectId owner_of_key(const State& state, const Value& key, Names& names);

// Something is put into `table`, by `key`. One that has other names beside a module's is nobody's.
void note_key(State& state, ObjectId table, const Value& key, Names& names);

// The module whose names `table` has, and no others but literals; none where that is not known.
ObjectId owner_of_table(const State& state, ObjectId table, Names& names);

}  // namespace placecheck::dataflow
