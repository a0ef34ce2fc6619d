// The fix of unregistered-state: the module is told of the member where this gets its value.
#pragma once

#include "analyzer/checks/edits.h"

namespace placecheck::checks {

enum class StateKind {
  kModule,
  kModules,  // in a list or a table
  kParameter,
  kParameters,  // in a list
  kBuffer,
};

// Empty where the class writes the member in more than one place, or in a way that is not
// understood.
FixIts register_member(const ir::Class& type, const ir::Field& field, StateKind kind,
                       const dataflow::View& view, Reporter& reporter);

}  // namespace placecheck::checks
