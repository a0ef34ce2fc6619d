// Makes random programs: branches, loops, calls, fields, lists, modules that are moved in part,
// recursion, unknown code.
#pragma once

#include <cstdint>

#include "tests/oracle/source_program.h"

namespace placecheck::oracle {

// The same program for the same seed, on every machine.
SourceProgram random_program(uint64_t seed);

}  // namespace placecheck::oracle
