// Programs made of the pages' examples: an executable that runs one of its own by name and says on
// standard output how it ended.
#ifndef PLACECHECK_TESTS_AGREEMENT_PAGES_EXAMPLE_H_
#define PLACECHECK_TESTS_AGREEMENT_PAGES_EXAMPLE_H_

#include <cstddef>

namespace placecheck::pages {

struct Program {
  const char* name;  // the rule's id, '/', and which of the page's: "device-mismatch/bad"
  void (*run)();
};

// main(): runs `programs[i]` whose name is the one argument. 2: there is none. What the program
// throws is not caught here.
int run_by_name(const Program* programs, std::size_t count, int argument_count, char** arguments);

}  // namespace placecheck::pages

#endif  // PLACECHECK_TESTS_AGREEMENT_PAGES_EXAMPLE_H_
