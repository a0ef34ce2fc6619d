// Reads the text form that print.h writes. `#` begins a comment that ends with its line.
//
// Any bytes may be given: what is not IR yields an error that says where and what was expected,
// never a crash. Only the form is checked; whether the unit makes sense is verify.h's business.
// Nothing is kept between calls; any thread may parse.
#pragma once

#include <string>
#include <string_view>

#include "analyzer/ir/ir.h"

namespace placecheck::ir {

struct ParseResult {
  Unit unit;          // what was read before the error, if there is one
  std::string error;  // "line:column: what was expected", empty if all was read

  bool ok() const { return error.empty(); }
};

ParseResult parse(std::string_view text);

}  // namespace placecheck::ir
