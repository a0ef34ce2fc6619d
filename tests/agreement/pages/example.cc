#include "tests/agreement/pages/example.h"

#include <iostream>
#include <string_view>

namespace placecheck::pages {

int run_by_name(const Program* programs, std::size_t count, int argument_count, char** arguments) {
  const std::string_view name = argument_count == 2 ? arguments[1] : "";
  for (std::size_t i = 0; i < count; ++i) {
    if (programs[i].name != name) continue;
    programs[i].run();
    return 0;
  }
  std::cerr << "no program '" << name << "'\n";
  return 2;
}

}  // namespace placecheck::pages
