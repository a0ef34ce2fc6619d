// Writes a module class of random members.
#pragma once

#include "tests/random_programs/writer.h"

namespace placecheck::random_programs {

// `depth` is that of the classes that it is a member of.
Class class_text(Writer& writer, int depth);

}  // namespace placecheck::random_programs
