// What a batch of programs tells runner.cc, which loads it.
#pragma once

namespace placecheck::random_programs {

struct Entry {
  const char* name;
  int (*run)(int, char**);
  const char* runs;  // a line for each: "STEPS=2 -- --cuda"
};

// A program's main() with either signature. Within its namespace it returns nothing by itself.
template <int (*kMain)()>
int run(int /*count*/, char** /*arguments*/) {
  return kMain();
}
template <int (*kMain)(int, char**)>
int run(int count, char** arguments) {
  return kMain(count, arguments);
}

// Of the batch, up to one without a name.
extern "C" const Entry kEntries[];

}  // namespace placecheck::random_programs
