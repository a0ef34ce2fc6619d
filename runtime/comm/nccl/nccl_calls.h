// What NCCL's callers here share: its errors as this runtime's, and its names of element types.
#ifndef PLACECHECK_RUNTIME_COMM_NCCL_NCCL_CALLS_H_
#define PLACECHECK_RUNTIME_COMM_NCCL_NCCL_CALLS_H_

#include <nccl.h>

#include <vector>

#include "runtime/tensor/tensor.h"

namespace placecheck::runtime::comm {

// Throws CommunicationError.
void check_nccl(ncclResult_t result);

// Throws for a type that NCCL does not know.
ncclDataType_t nccl_type_of(const Tensor& tensor);

// One communicator for each device. Throws RuleError (nccl-usage) where one is named twice.
std::vector<ncclComm_t> make_nccl_comms(const std::vector<DeviceIndex>& devices);

}  // namespace placecheck::runtime::comm

#endif  // PLACECHECK_RUNTIME_COMM_NCCL_NCCL_CALLS_H_
