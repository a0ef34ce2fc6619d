// What the rules about the ranks of a process group share.
#pragma once

#include "analyzer/checks/check.h"

namespace placecheck::checks {

// Whether one rank alone comes to the event on this path.
bool is_of_one_rank(const dataflow::View& view);

}  // namespace placecheck::checks
