// A program that links this checks the operands of every operation, and the calls of ranks.
#include "runtime/checks/device_checks.h"
#include "runtime/checks/group_checks.h"
#include "runtime/checks/rank_checks.h"

namespace placecheck::runtime {

namespace {
const DeviceChecks kDeviceChecks;
}

const OpChecks* const kOpChecks = &kDeviceChecks;

namespace comm {
const RankChecks kRankChecks = &with_rank_checks;
const GroupChecks kGroupChecks = &with_group_checks;
}  // namespace comm

}  // namespace placecheck::runtime
