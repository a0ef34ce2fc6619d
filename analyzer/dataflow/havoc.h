// What is left to know of objects after something unknown had them in its hands.
#pragma once

#include <set>
#include <string>

#include "analyzer/dataflow/state.h"

namespace placecheck::dataflow {

// Everything that an object reaches may have been changed. `label` names what it holds from now on.
class Havoc {
 public:
  Havoc(State& state, Names& names, Name label) : state_(state), names_(names), label_(label) {}

  void object(ObjectId id);

 private:
  void forget_fields(Object& object, ObjectId id);

  State& state_;
  Names& names_;
  Name label_;
  std::set<ObjectId> done_;
};

}  // namespace placecheck::dataflow
