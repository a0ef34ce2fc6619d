#include "runtime/autograd/node.h"

#include <algorithm>
#include <atomic>

#include "runtime/core/check.h"
#include "runtime/tensor/tensor_impl.h"

namespace placecheck::runtime {

namespace {
thread_local constinit bool grad_is_enabled = true;
}

bool GradMode::is_enabled() { return grad_is_enabled; }
void GradMode::set_enabled(bool enabled) { grad_is_enabled = enabled; }

}  // namespace placecheck::runtime

namespace placecheck::runtime::autograd {
namespace {

std::uint64_t next_sequence() {
  static std::atomic<std::uint64_t> counter{0};
  return counter.fetch_add(1, std::memory_order_relaxed);
}

// The first handle sets the gradient, later ones add to it.
void accumulate(const std::shared_ptr<TensorImpl>& leaf, const Tensor& grad) {
  if (!grad.defined()) return;
  if (!leaf->grad.defined()) {
    bool is_ours = grad.impl_ptr().use_count() == 1 && grad.is_contiguous() &&
                   !grad.impl().is_view && !grad.requires_grad();
    leaf->grad = is_ours || GradMode::is_enabled() ? grad : grad.clone();
  } else if (GradMode::is_enabled()) {
    leaf->grad = leaf->grad.add(grad);
  } else {
    leaf->grad.add_(grad);
  }
}

}  // namespace

Pass::Pass(const Node& node, TensorList grads)
    : node_(node), grads_(std::move(grads)), given_(node.next().size()) {}

bool Pass::needs(std::size_t i) const { return node_.next()[i].node != nullptr; }

Node::Node(std::string name, Formula formula)
    : name_(std::move(name)), formula_(std::move(formula)), sequence_(next_sequence()) {}

// A long chain of nodes is taken apart in a loop: freed one from within the other, they would
// exhaust the stack.
Node::~Node() {
  thread_local std::vector<std::shared_ptr<Node>>* pending = nullptr;
  if (pending != nullptr) {
    for (Edge& edge : next_) pending->push_back(std::move(edge.node));
    return;
  }
  std::vector<std::shared_ptr<Node>> nodes;
  nodes.reserve(next_.size());
  for (Edge& edge : next_) nodes.push_back(std::move(edge.node));
  pending = &nodes;
  formula_ = nullptr;
  while (!nodes.empty()) {
    std::shared_ptr<Node> node = std::move(nodes.back());
    nodes.pop_back();
  }
  pending = nullptr;
}

std::shared_ptr<Node> Node::make_accumulator(const std::shared_ptr<TensorImpl>& leaf) {
  std::weak_ptr<TensorImpl> weak = leaf;
  auto node = std::make_shared<Node>("AccumulateGrad", [weak](Pass& pass) {
    if (auto target = weak.lock()) accumulate(target, pass.grads()[0]);
  });
  node->leaf_ = leaf;
  node->is_accumulator_ = true;
  node->outputs_.push_back({leaf->sizes, leaf->dtype, leaf->storage->device()});
  return node;
}

std::uint32_t Node::add_output(const Tensor& output) {
  outputs_.push_back({output.sizes(), output.dtype(), output.device()});
  return static_cast<std::uint32_t>(outputs_.size()) - 1;
}

TensorList Node::apply(TensorList grads) const {
  check(formula_ != nullptr,
        "Trying to backward through the graph a second time (or directly access saved tensors "
        "after they have already been freed). Saved intermediate values of the graph are freed "
        "when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to "
        "backward through the graph a second time or if you need to access saved tensors after "
        "calling backward.");
  Pass pass(*this, std::move(grads));
  formula_(pass);
  validate(pass.given());
  return std::move(pass.given());
}

// Gradients must lie where their tensors lie; only 0-dim ones are moved there.
void Node::validate(TensorList& grads) const {
  for (std::size_t i = 0; i < grads.size(); ++i) {
    const Edge& edge = next_[i];
    if (!edge.node || !grads[i].defined()) continue;
    const Expected& expected = edge.node->outputs()[edge.input];
    std::string prefix =
        "Function " + name_ + " returned an invalid gradient at index " + std::to_string(i) + " - ";
    check(grads[i].sizes() == expected.sizes, prefix, "got ", grads[i].sizes(),
          " but expected shape compatible with ", expected.sizes);
    if (grads[i].dtype() != expected.dtype) grads[i] = grads[i].to(expected.dtype);
    if (grads[i].device() == expected.device) continue;
    check(grads[i].dim() == 0, prefix, "expected device ", expected.device, " but got ",
          grads[i].device());
    grads[i] = grads[i].to(expected.device);
  }
}

Edge edge_of(const Tensor& tensor) {
  if (!tensor.defined() || !tensor.requires_grad()) return {};
  TensorImpl& impl = tensor.impl();
  if (impl.grad_fn) return {impl.grad_fn, impl.output_number};
  std::shared_ptr<Node> node = impl.accumulator.lock();
  // A leaf that was moved since expects its gradients elsewhere.
  if (!node || node->outputs()[0].device != tensor.device() ||
      node->outputs()[0].dtype != tensor.dtype() || !(node->outputs()[0].sizes == impl.sizes)) {
    node = Node::make_accumulator(tensor.impl_ptr());
    impl.accumulator = node;
  }
  return {node, 0};
}

bool is_recorded(const TensorList& inputs) {
  return GradMode::is_enabled() &&
         std::any_of(inputs.begin(), inputs.end(),
                     [](const Tensor& input) { return input.defined() && input.requires_grad(); });
}

void record(std::string name, const TensorList& outputs, const TensorList& inputs,
            Formula formula) {
  auto node = std::make_shared<Node>(std::move(name), std::move(formula));
  for (const Tensor& input : inputs) node->add_next(edge_of(input));
  for (const Tensor& output : outputs) {
    std::uint32_t number = node->add_output(output);
    if (!is_floating(output.dtype())) continue;
    output.impl().grad_fn = node;
    output.impl().output_number = number;
  }
}

Saved Saved::input(const Tensor& tensor) { return {tensor, false}; }
Saved Saved::output(const Tensor& tensor) { return {tensor, true}; }

Saved::Saved(const Tensor& tensor, bool is_output) : is_output_(is_output) {
  if (!tensor.defined()) return;
  version_ = version_of(tensor);
  if (!is_output && tensor.is_leaf()) {
    tensor_ = tensor;
    return;
  }
  // A copy of the handle's target: an operation in place may give the target another node.
  auto copy = std::make_shared<TensorImpl>(tensor.impl());
  copy->grad = Tensor();
  if (is_output) copy->grad_fn = nullptr;
  tensor_ = Tensor(std::move(copy));
}

Tensor Saved::get(const Pass& pass) const {
  if (!tensor_.defined()) return tensor_;
  std::uint32_t now = version_of(tensor_);
  check(now == version_,
        "one of the variables needed for gradient computation has been modified by an inplace "
        "operation: [",
        tensor_.type_name(), " ", tensor_.sizes(), "] is at version ", now, "; expected version ",
        version_,
        " instead. Hint: enable anomaly detection to find the operation that failed to compute "
        "its gradient, with torch.autograd.set_detect_anomaly(True).");
  if (!is_output_ || !GradMode::is_enabled()) return tensor_;
  auto copy = std::make_shared<TensorImpl>(tensor_.impl());
  copy->grad_fn = std::const_pointer_cast<Node>(pass.node().shared_from_this());
  return Tensor(std::move(copy));
}

}  // namespace placecheck::runtime::autograd
