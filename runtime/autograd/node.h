// The graph of gradients: nodes that turn gradients of an operation's outputs into those of its
// inputs, and record(), by which operations build it.
//
// Ownership: a tensor owns the node that made it, a node its successors; saved tensors live as long
// as the node, or until a backward pass that does not retain the graph. Threads: one graph at a
// time.
#ifndef PLACECHECK_RUNTIME_AUTOGRAD_NODE_H_
#define PLACECHECK_RUNTIME_AUTOGRAD_NODE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/autograd/grad_mode.h"
#include "runtime/tensor/tensor.h"

namespace placecheck::runtime::autograd {

class Node;

// One input of a node: the gradient of a tensor.
struct Edge {
  std::shared_ptr<Node> node;  // null: no gradient is wanted
  std::uint32_t input = 0;
};

// What a gradient must look like.
struct Expected {
  Shape sizes;
  ScalarType dtype = kFloat;
  Device device = kCPU;
};

// One run of a node: gradients of its outputs come in (undefined ones are zero), those of its
// inputs go out.
class Pass {
 public:
  Pass(const Node& node, TensorList grads);

  const Node& node() const { return node_; }

  const Tensor& grad(std::size_t i = 0) const { return grads_[i]; }
  TensorList& grads() { return grads_; }
  // Whether anybody wants the gradient of input i.
  bool needs(std::size_t i) const;
  void give(std::size_t i, Tensor grad) { given_[i] = std::move(grad); }
  TensorList& given() { return given_; }

 private:
  const Node& node_;
  TensorList grads_;
  TensorList given_;
};

using Formula = std::function<void(Pass&)>;

class Node : public std::enable_shared_from_this<Node> {
 public:
  Node(std::string name, Formula formula);
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  const std::string& name() const { return name_; }
  std::uint64_t sequence() const { return sequence_; }
  const std::vector<Edge>& next() const { return next_; }
  const std::vector<Expected>& outputs() const { return outputs_; }
  // The leaf whose gradient this node collects, or null.
  std::shared_ptr<TensorImpl> leaf() const { return leaf_.lock(); }
  bool is_accumulator() const { return is_accumulator_; }

  // Throws where the graph was freed by an earlier pass, and where a gradient does not fit.
  TensorList apply(TensorList grads) const;
  void release_saved() { formula_ = nullptr; }

  void add_next(Edge edge) { next_.push_back(std::move(edge)); }
  std::uint32_t add_output(const Tensor& output);
  static std::shared_ptr<Node> make_accumulator(const std::shared_ptr<TensorImpl>& leaf);

 private:
  void validate(TensorList& grads) const;

  std::string name_;
  Formula formula_;
  std::uint64_t sequence_;
  std::vector<Edge> next_;
  std::vector<Expected> outputs_;
  std::weak_ptr<TensorImpl> leaf_;
  bool is_accumulator_ = false;
};

// Where the gradient of a tensor goes; without a node if it requires none.
Edge edge_of(const Tensor& tensor);

// Whether an operation on these is to be recorded.
template <typename... Tensors>
bool is_recorded(const Tensors&... inputs) {
  return GradMode::is_enabled() && ((inputs.defined() && inputs.requires_grad()) || ...);
}
bool is_recorded(const TensorList& inputs);

// Makes `outputs` the results of a node over `inputs`. Call it only where is_recorded().
void record(std::string name, const TensorList& outputs, const TensorList& inputs, Formula formula);

// An input or an output that a formula needs later. Knows whether it was written since.
class Saved {
 public:
  static Saved input(const Tensor& tensor);
  // Kept without its node, which would keep itself alive; make it before record().
  static Saved output(const Tensor& tensor);
  Saved() = default;

  // The tensor, in the graph. Throws where it was written in place since it was saved.
  Tensor get(const Pass& pass) const;

 private:
  Saved(const Tensor& tensor, bool is_output);

  Tensor tensor_;
  std::uint32_t version_ = 0;
  bool is_output_ = false;
};

}  // namespace placecheck::runtime::autograd

#endif  // PLACECHECK_RUNTIME_AUTOGRAD_NODE_H_
