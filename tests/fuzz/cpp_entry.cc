#include "tests/fuzz/cpp_entry.h"

#include "tests/frontend/lowering.h"
#include "tests/fuzz/lowered_unit.h"

namespace placecheck::checks {

std::string check_cpp(const std::string& text) {
  return check_lowered(
      frontend::lower_files({{"/project/main.cc", "#include <torch.h>\n" + text}}));
}

}  // namespace placecheck::checks
