// Scatter, gather and broadcast as operations with gradients.
#ifndef PLACECHECK_RUNTIME_PARALLEL_FUNCTIONS_H_
#define PLACECHECK_RUNTIME_PARALLEL_FUNCTIONS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/comm/collectives.h"
#include "runtime/parallel/common/compat.h"
#include "runtime/tensor/tensor.h"

namespace placecheck::runtime::nn {

using parallel::Compat;

// Pieces of a batch, one a device; as many as there are. The gradient is gathered where the batch
// is.
TensorList scatter_tensor(const Tensor& tensor, const comm::DeviceList& devices, std::int64_t dim);

// Outputs side by side. The gradient is scattered back to where they were.
Tensor gather_tensors(const TensorList& tensors, const Device& destination, std::int64_t dim);

// All tensors for every device. The gradients of the copies are summed on devices[0]; a tensor that
// no copy of was used has none, or zeros if `compat` asks for them.
std::vector<TensorList> broadcast_tensors(const TensorList& tensors,
                                          const comm::DeviceList& devices,
                                          const Compat& compat = {});

}  // namespace placecheck::runtime::nn

#endif  // PLACECHECK_RUNTIME_PARALLEL_FUNCTIONS_H_
