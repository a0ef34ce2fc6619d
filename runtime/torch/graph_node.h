// Nodes of the autograd graph, which libtorch counts with std::shared_ptr, and with its own
// intrusive_ptr in newer releases.
#ifndef PLACECHECK_RUNTIME_TORCH_GRAPH_NODE_H_
#define PLACECHECK_RUNTIME_TORCH_GRAPH_NODE_H_

#include <c10/util/intrusive_ptr.h>
#include <torch/csrc/autograd/edge.h>
#include <torch/csrc/autograd/function.h>

#include <memory>
#include <type_traits>
#include <utility>

namespace placecheck {

using NodePointer = decltype(torch::autograd::Edge::function);

template <class T, class... Arguments>
NodePointer make_node(Arguments&&... arguments) {
  if constexpr (std::is_same_v<NodePointer, std::shared_ptr<torch::autograd::Node>>) {
    return std::make_shared<T>(std::forward<Arguments>(arguments)...);
  } else {
    return c10::make_intrusive<T>(std::forward<Arguments>(arguments)...);
  }
}

}  // namespace placecheck

#endif  // PLACECHECK_RUNTIME_TORCH_GRAPH_NODE_H_
