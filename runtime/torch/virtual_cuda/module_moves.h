// Moves that leave a member behind: Module::to() brings to a device what is registered with the
// module, and nothing else. It is told when a tensor of such a member meets others.
//
// A member is looked for in the memory of the modules that were moved, which is known of those that
// std::make_shared made. Thread-safe. Moves are seen in programs that link this library or preload
// it.
#ifndef PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_MODULE_MOVES_H_
#define PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_MODULE_MOVES_H_

#include <vector>

#include "runtime/torch/virtual_cuda/earlier_cause.h"
#include "runtime/torch/virtual_cuda/observers.h"

namespace placecheck::virtual_cuda {

// The moves of modules that hold some of the operands that do not fit in members which are not
// registered.
std::vector<EarlierCause> moves_that_left_behind(const std::vector<MistakenOperand>& operands);

}  // namespace placecheck::virtual_cuda

#endif  // PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_MODULE_MOVES_H_
