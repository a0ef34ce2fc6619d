// The fix of device-mismatch: one operand is moved to the device of the other, where they meet.
#pragma once

#include "analyzer/checks/device_mismatch.h"
#include "analyzer/checks/edits.h"

namespace placecheck::checks {

// The operand that the fix moves, and the one that stays.
Conflict moved_and_kept(const Conflict& conflict);

// A tensor moves in the expression that names it, a module in a statement before the one in which
// it is called. Empty where an operand is not written on its own, as one of a list, or where no
// expression for the device is at hand.
FixIts put_on_other_device(const dataflow::MeetEvent& meet, const Conflict& conflict,
                           const dataflow::View& view, Reporter& reporter);

// Whether the operand was a module's tensor when the program kept it, and the module has moved to
// where the other operand is since then.
bool was_left_behind(const dataflow::Operand& operand, const dataflow::Operand& other,
                     const dataflow::View& view);

}  // namespace placecheck::checks
