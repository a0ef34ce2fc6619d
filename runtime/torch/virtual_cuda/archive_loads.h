// Loads that move a module: torch::load() without a device brings each tensor to the place that it
// was saved from, and where that is another one than the module's, the module follows. That is a
// mistake where the module is used in its old place: it is told when such a tensor meets others.
//
// Thread-safe. Loads are seen in programs that link this library or preload it.
#ifndef PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_ARCHIVE_LOADS_H_
#define PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_ARCHIVE_LOADS_H_

#include <vector>

#include "runtime/torch/virtual_cuda/earlier_cause.h"
#include "runtime/torch/virtual_cuda/observers.h"

namespace placecheck::virtual_cuda {

// The loads that moved some of the operands that do not fit.
std::vector<EarlierCause> loads_that_moved(const std::vector<MistakenOperand>& operands);

}  // namespace placecheck::virtual_cuda

#endif  // PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_ARCHIVE_LOADS_H_
