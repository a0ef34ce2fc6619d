// The conditions under which a finding happens: what the path to it has decided, as far as a step
// of the evidence hangs on it.
#pragma once

#include "analyzer/checks/check.h"

namespace placecheck::checks {

// Puts notes such as "when 'args.use_cuda' is true" in front of the finding's own. A condition is
// told of where one of its outcomes alone leads to the finding's place, or to that of a note, in
// the function that decides it; one whose other outcome leaves the function is not.
void add_conditions(findings::Finding& finding, const dataflow::View& view, Reporter& reporter);

// Whether the path runs in the second replica of a data-parallel module.
bool is_in_second_replica(const dataflow::View& view);

}  // namespace placecheck::checks
