// Writes a function of random parameters.
#pragma once

#include "tests/random_programs/writer.h"

namespace placecheck::random_programs {

// `type` is that of its module, if it takes one.
Function function_text(Writer& writer, const Class& type);

}  // namespace placecheck::random_programs
