// The one entry point of the IR text fuzzer, for libFuzzer and for the plain test.
#pragma once

#include <string_view>

namespace placecheck::ir {

// Whether any text keeps the promises of the parser, the verifier, the printer and the binary form.
// Returns what was broken, or an empty text.
const char* check_ir_text(std::string_view text);

}  // namespace placecheck::ir
