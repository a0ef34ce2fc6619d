// nvcc's command line in the words of Clang.
//
// Ownership: values only. Threads: no state. Errors: none; what means nothing to Clang is dropped.
#pragma once

#include <string>
#include <vector>

namespace placecheck::frontend {

// -Xcompiler's list is taken apart, long names become common ones, and nvcc's own flags are dropped
// with their values. Flags of other compilers pass unchanged. The compiler itself is left out.
std::vector<std::string> translate_nvcc_flags(const std::vector<std::string>& args);

}  // namespace placecheck::frontend
