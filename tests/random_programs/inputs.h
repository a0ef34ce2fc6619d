// What a program is told from outside, which the checker does not know.
#pragma once

#include <string>
#include <vector>

#include "tests/random_programs/program.h"
#include "tests/random_programs/random.h"
#include "tests/random_programs/world.h"

namespace placecheck::random_programs {

struct Inputs {
  std::string declarations;  // before the main function
  std::string statements;    // at its beginning
  bool has_arguments = false;
  World world;
  // By name of the text or number that is a device, if there is one.
  std::vector<Number> texts;
  std::vector<Run> runs;
};

// One to three of them. The values of each are such as `--explain=assumptions` takes for granted:
// loops run, some device is not the first.
Inputs choose_inputs(Random& random);

}  // namespace placecheck::random_programs
