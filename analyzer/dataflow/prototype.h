// What a module of a class consists of, for modules that existed before the analysis began: found
// by running the class's constructor on its own.
//
// Ownership: a value, kept by the engine. Threads: as the engine's. Errors: none.
#pragma once

#include "analyzer/dataflow/state.h"

namespace placecheck::dataflow {

struct Prototype {
  State state;  // in which the constructor ended
  ObjectId module = kNoObject;
};

}  // namespace placecheck::dataflow
