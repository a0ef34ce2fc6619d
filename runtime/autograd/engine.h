// The backward pass. Runs on the calling thread, latest operation first; the devices work in
// parallel because their streams do. The order in which gradients are added is that of the graph,
// so that a run repeats bit by bit. Errors: core::Error with PyTorch's texts.
#ifndef PLACECHECK_RUNTIME_AUTOGRAD_ENGINE_H_
#define PLACECHECK_RUNTIME_AUTOGRAD_ENGINE_H_

#include <optional>

#include "runtime/tensor/tensor.h"

namespace placecheck::runtime::autograd {

// Adds to the grad of every leaf. Undefined gradients stand for 1 where the output is a scalar.
void backward(const TensorList& outputs, const TensorList& gradients = {},
              std::optional<bool> retain_graph = std::nullopt, bool create_graph = false);

// The gradients of `inputs`; leaves are left alone. Throws for an input that was not used unless
// `allow_unused`, when its gradient is undefined.
TensorList grad(const TensorList& outputs, const TensorList& inputs,
                const TensorList& gradients = {}, std::optional<bool> retain_graph = std::nullopt,
                bool create_graph = false, bool allow_unused = false);

}  // namespace placecheck::runtime::autograd

#endif  // PLACECHECK_RUNTIME_AUTOGRAD_ENGINE_H_
