// Usage: write_batch NUMBER PRELUDE: prints the source of a batch of sample.h.
#include <cstdlib>
#include <iostream>

#include "tests/random_programs/sample.h"

int main(int count, char** arguments) {
  using namespace placecheck::random_programs;
  if (count != 3) return 2;
  std::cout << batch_of(sample(std::strtoul(arguments[1], nullptr, 10)), arguments[2]);
  return 0;
}
