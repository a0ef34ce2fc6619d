// The one entry point of the C++ fuzzer, for libFuzzer and for the plain test.
#pragma once

#include <string>

namespace placecheck::checks {

// Whether any text, taken for a program, keeps the promises of the front end, the analysis and the
// checks. Returns what was broken, or an empty text.
std::string check_cpp(const std::string& text);

}  // namespace placecheck::checks
