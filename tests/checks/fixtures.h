// The programs in the test data whose lines say what is found there.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace placecheck::checks {

// Where they lie, from where tests run.
inline constexpr char kTestdata[] = "testdata";

// The sources by the program, or the folder of programs, that they belong to; a program of one file
// goes by that file's name. Relative to the test data, in order.
std::map<std::string, std::vector<std::string>> find_fixtures();

}  // namespace placecheck::checks
