// The one entry point of the Python fuzzer, for libFuzzer and for the plain test.
#pragma once

#include <string>

namespace placecheck::checks {

// Whether any text, taken for a module of a project that has a second one, keeps the promises of
// the front end, the analysis and the checks. Returns what was broken, or an empty text.
std::string check_python(const std::string& text);

}  // namespace placecheck::checks
