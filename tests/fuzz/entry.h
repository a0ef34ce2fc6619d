// What a fuzz target checks. Each *_entry library defines it for one reader, and a program links
// one of them: libFuzzer's (fuzzer.cc), or a test that goes through the same mutants in every run.
#pragma once

#include <string>

namespace placecheck::fuzz {

// Whether the reader keeps its promises over any text. Returns what was broken, or an empty text.
std::string check(const std::string& text);

}  // namespace placecheck::fuzz
