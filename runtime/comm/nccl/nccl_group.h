// Ranks over NCCL: one for each GPU of this process. Each works on a stream of its own, after what
// its tensor's device was given before, and comes back when it is done, or at the deadline.
#ifndef PLACECHECK_RUNTIME_COMM_NCCL_NCCL_GROUP_H_
#define PLACECHECK_RUNTIME_COMM_NCCL_NCCL_GROUP_H_

#include <chrono>
#include <vector>

#include "runtime/comm/communicator.h"

namespace placecheck::runtime::comm {

// Throws RuleError (nccl-usage) where a device is named twice, core::Error with NCCL's texts.
Ranks make_nccl_group(const std::vector<DeviceIndex>& devices,
                      std::chrono::milliseconds deadline = std::chrono::seconds(60));

}  // namespace placecheck::runtime::comm

#endif  // PLACECHECK_RUNTIME_COMM_NCCL_NCCL_GROUP_H_
