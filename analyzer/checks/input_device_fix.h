// The fix of hardcoded-device: what a forward made goes onto the device of a tensor that it is
// given.
#pragma once

#include "analyzer/checks/device_mismatch.h"
#include "analyzer/checks/edits.h"

namespace placecheck::checks {

// `origin` says where the tensor was made or moved, `given` is what it meets in `meet`. Empty where
// no tensor is at hand whose device can be asked.
FixIts put_on_input_device(const dataflow::Origin& origin, const dataflow::Operand& given,
                           const dataflow::MeetEvent& meet, Reporter& reporter);

}  // namespace placecheck::checks
