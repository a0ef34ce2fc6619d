// The check of what one thread moves among the devices of its process.
#ifndef PLACECHECK_RUNTIME_CHECKS_GROUP_CHECKS_H_
#define PLACECHECK_RUNTIME_CHECKS_GROUP_CHECKS_H_

#include <memory>

#include "runtime/comm/device_group.h"

namespace placecheck::runtime {

// The group in a decorator that throws RuleError (nccl-usage) where a tensor is not on its device,
// where tensors differ in type or number of elements, or where the root is none of them.
std::unique_ptr<comm::DeviceGroup> with_group_checks(std::unique_ptr<comm::DeviceGroup> group,
                                                     const comm::DeviceList& devices);

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_CHECKS_GROUP_CHECKS_H_
