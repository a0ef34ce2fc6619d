// A tensor member of a module that nothing registers, as seen where it meets other values.
#pragma once

#include <optional>

#include "analyzer/checks/device_mismatch.h"

namespace placecheck::checks {

struct StrayMember {
  const ir::Class* type;
  const ir::Field* field;
  const dataflow::Operand* operand;
};

// The member in a conflict, if its value was made when the module was constructed: then the module
// should have registered it. A value put there later is the method's own affair.
std::optional<StrayMember> find_stray_member(const Conflict& conflict, const dataflow::View& view);

}  // namespace placecheck::checks
