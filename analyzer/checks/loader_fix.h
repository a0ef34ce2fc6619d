// The edit that lets a data loader pin what it yields.
#pragma once

#include "analyzer/checks/check.h"
#include "analyzer/checks/edits.h"

namespace placecheck::checks {

// Of the loader that is made at that place; empty where it is told of its memory already.
FixIts pin_memory(const dataflow::Site& loader, Reporter& reporter);

}  // namespace placecheck::checks
