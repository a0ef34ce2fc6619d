// The warning about GPUs of unequal size.
#ifndef PLACECHECK_RUNTIME_PARALLEL_BALANCE_H_
#define PLACECHECK_RUNTIME_PARALLEL_BALANCE_H_

#include "runtime/comm/collectives.h"

namespace placecheck::runtime::nn {

// Warns where one of the devices has less than 75 % of the memory, or else of the processors, of
// another. Throws RuleError, "Invalid device id", for one that is not
// there.
void check_balance(const comm::DeviceList& devices);

}  // namespace placecheck::runtime::nn

#endif  // PLACECHECK_RUNTIME_PARALLEL_BALANCE_H_
