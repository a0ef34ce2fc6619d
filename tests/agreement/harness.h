// Many fixtures in one executable, each in a namespace of its own; a process runs one of them, by
// name, and reports what the rules say of it. See write_programs.sh.
#pragma once

#include <cstddef>

namespace placecheck::agreement {

struct Program {
  const char* name;  // "device-mismatch/loop.cc"
  int (*run)(int, char**);
};

// Before a program runs; for each kind of programs its own.
void prepare();

// In the generated file.
extern const Program kPrograms[];
extern const std::size_t kProgramCount;

// A fixture's main() with either signature.
template <int (*kMain)()>
int run(int /*count*/, char** /*arguments*/) {
  kMain();
  return 0;
}
template <int (*kMain)(int, char**)>
int run(int count, char** arguments) {
  kMain(count, arguments);
  return 0;
}

// For an extension, which others call: its name is the first argument (extension_harness.cc).
int run_extension(int count, char** arguments);

}  // namespace placecheck::agreement
