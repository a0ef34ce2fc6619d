// Calls by which a program hands its functions to callers that are not in it: Python, the
// dispatcher of operators, another runtime. Tables only; any thread may look up.
#pragma once

#include <string_view>

namespace placecheck::models {

// `name` as in the IR: "pybind11::module_::def". A bare name is a method of a receiver whose type
// is not known.
bool registers_functions(std::string_view name);

}  // namespace placecheck::models
