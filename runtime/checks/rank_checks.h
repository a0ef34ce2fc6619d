// The check of collectives: before ranks call the real one, they meet and compare what they are
// about to do, so that a disagreement is an error in every rank rather than a hang or wrong data.
#ifndef PLACECHECK_RUNTIME_CHECKS_RANK_CHECKS_H_
#define PLACECHECK_RUNTIME_CHECKS_RANK_CHECKS_H_

#include <chrono>
#include <vector>

#include "runtime/comm/communicator.h"

namespace placecheck::runtime {

// The ranks, each in a decorator that throws RuleError (nccl-usage) in all of them where one's
// tensor is not on its rank's device, where a root is no rank, and where ranks disagree on
// operation, element type, count or root. `devices` is empty where any device will do.
comm::Ranks with_rank_checks(comm::Ranks ranks, const std::vector<Device>& devices,
                             std::chrono::milliseconds deadline);

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_CHECKS_RANK_CHECKS_H_
