// Values and states as text, to show the analysis at work.
#pragma once

#include <string>

#include "analyzer/dataflow/state.h"

namespace placecheck::dataflow {

// "tensor on cuda:0", "module NetImpl on cpu", "'cuda'", ...
std::string to_text(const Value& value, const State& state, const Names& names);
// Why no finding is reported in the state; empty where it is exact.
std::string doubts_text(const State& state, const Names& names);

}  // namespace placecheck::dataflow
