#include "tests/agreement/harness.h"

#include <cstring>
#include <iostream>
#include <string_view>

namespace placecheck::agreement {
namespace {

int run_named(std::string_view name, int count, char** arguments) {
  for (std::size_t i = 0; i < kProgramCount; ++i) {
    if (kPrograms[i].name == name) return kPrograms[i].run(count, arguments);
  }
  std::cerr << "no program " << name << '\n';
  return 2;
}

}  // namespace
}  // namespace placecheck::agreement

int main(int count, char** arguments) {
  namespace agreement = placecheck::agreement;
  if (count < 2 || std::strcmp(arguments[1], "--list") == 0) {
    for (std::size_t i = 0; i < agreement::kProgramCount; ++i) {
      std::cout << agreement::kPrograms[i].name << '\n';
    }
    return 0;
  }
  agreement::prepare();
  return agreement::run_named(arguments[1], count - 1, arguments + 1);
}
