// C++: parse, lower, verify, print, link, analyse, check.
#include "tests/frontend/lowering.h"
#include "tests/fuzz/entry.h"
#include "tests/fuzz/lowered_unit.h"

namespace placecheck::fuzz {

std::string check(const std::string& text) {
  return check_lowered(
      frontend::lower_files({{"/project/main.cc", "#include <torch.h>\n" + text}}));
}

}  // namespace placecheck::fuzz
