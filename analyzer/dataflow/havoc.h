// What is left to know of objects after something unknown had them in its hands.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "analyzer/dataflow/state.h"

namespace placecheck::dataflow {

// Everything that an object reaches may have been changed. `label` names what it holds from now on;
// `gap` says why its places are unknown.
class Havoc {
 public:
  Havoc(State& state, Names& names, Name label, GapId gap = 0)
      : state_(state), names_(names), label_(label), gap_(gap) {}

  void object(ObjectId id);
  // Those of a list, of which any may be the one that was handed out.
  void objects_among(const std::vector<Value>& elements);
  GapId gap() const { return gap_; }

 private:
  void forget_elements(Object& container);
  void forget_fields(Object& object, ObjectId id);

  State& state_;
  Names& names_;
  Name label_;
  GapId gap_;
  std::set<ObjectId> done_;
};

}  // namespace placecheck::dataflow
