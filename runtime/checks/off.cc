// A program that links this checks no operands: what is misplaced fails in the kernel, as an
// illegal memory access. Nor are ranks checked: those that disagree hang, or get wrong data.
#include "runtime/comm/communicator.h"
#include "runtime/comm/device_group.h"
#include "runtime/tensor/op_row.h"

namespace placecheck::runtime {

const OpChecks* const kOpChecks = nullptr;

namespace comm {
const RankChecks kRankChecks = nullptr;
const GroupChecks kGroupChecks = nullptr;
}  // namespace comm

}  // namespace placecheck::runtime
