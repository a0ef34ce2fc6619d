// The fix of missing-map-location: the load is told onto which device.
#pragma once

#include "analyzer/checks/edits.h"

namespace placecheck::checks {

// `loaded` says where something was loaded, `used` where it is used. Empty where no expression is
// known for that device.
FixIts give_device(const dataflow::Origin& loaded, const dataflow::Place& used, Reporter& reporter);

}  // namespace placecheck::checks
