#include "runtime/autograd/engine.h"

#include <algorithm>
#include <memory>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/autograd/grad_mode.h"
#include "runtime/autograd/node.h"
#include "runtime/core/check.h"
#include "runtime/tensor/functions.h"

namespace placecheck::runtime::autograd {
namespace {

using NodePointer = std::shared_ptr<Node>;

// Of two nodes that are ready, the one that was made later comes first; leaves wait for nobody and
// come at once.
struct Earlier {
  bool operator()(const NodePointer& a, const NodePointer& b) const {
    if (a->is_accumulator() != b->is_accumulator()) return b->is_accumulator();
    return a->sequence() < b->sequence();
  }
};

class BackwardPass {
 public:
  BackwardPass(bool retain_graph, bool create_graph)
      : retain_graph_(retain_graph), grad_mode_(create_graph) {}

  // Gradients that arrive there are kept, not passed on.
  void capture(const Edge& edge) { captured_[edge.node.get()].resize(edge.node->outputs().size()); }
  Tensor captured(const Edge& edge) const { return captured_.at(edge.node.get())[edge.input]; }

  // Without captures, leaves get what arrives at them; with captures, nothing else does.
  void run(const std::vector<Edge>& roots, const TensorList& gradients);

 private:
  void count_dependencies(const std::vector<Edge>& roots);
  void deliver(const Edge& edge, const Tensor& gradient);
  void arrive(const NodePointer& node);
  void process(const NodePointer& node);

  bool retain_graph_;
  AutoGradMode grad_mode_;
  std::unordered_map<const Node*, int> dependencies_;
  std::unordered_map<const Node*, TensorList> buffers_;
  std::unordered_map<const Node*, TensorList> captured_;
  std::priority_queue<NodePointer, std::vector<NodePointer>, Earlier> ready_;
};

void BackwardPass::count_dependencies(const std::vector<Edge>& roots) {
  std::vector<const Node*> pending;
  for (const Edge& root : roots) {
    if (dependencies_.try_emplace(root.node.get(), 0).second) pending.push_back(root.node.get());
  }
  while (!pending.empty()) {
    const Node* node = pending.back();
    pending.pop_back();
    for (const Edge& edge : node->next()) {
      if (!edge.node) continue;
      auto [count, is_new] = dependencies_.try_emplace(edge.node.get(), 0);
      ++count->second;
      if (is_new) pending.push_back(edge.node.get());
    }
  }
}

void BackwardPass::deliver(const Edge& edge, const Tensor& gradient) {
  TensorList& buffer = buffers_[edge.node.get()];
  buffer.resize(edge.node->outputs().size());
  Tensor& slot = buffer[edge.input];
  if (!gradient.defined()) return;
  slot = slot.defined() ? slot.add(gradient) : gradient;
}

void BackwardPass::arrive(const NodePointer& node) {
  if (--dependencies_[node.get()] == 0) ready_.push(node);
}

void BackwardPass::process(const NodePointer& node) {
  TensorList gradients = std::move(buffers_[node.get()]);
  buffers_.erase(node.get());
  gradients.resize(node->outputs().size());
  if (auto found = captured_.find(node.get()); found != captured_.end()) found->second = gradients;
  bool has_any = std::any_of(gradients.begin(), gradients.end(),
                             [](const Tensor& gradient) { return gradient.defined(); });
  bool is_left_alone = node->is_accumulator() && !captured_.empty();
  TensorList given(node->next().size());
  if (has_any && !is_left_alone) given = node->apply(std::move(gradients));
  if (!retain_graph_ && !node->is_accumulator()) node->release_saved();
  for (std::size_t i = 0; i < given.size(); ++i) {
    const Edge& edge = node->next()[i];
    if (!edge.node) continue;
    deliver(edge, given[i]);
    given[i] = Tensor();
    arrive(edge.node);
  }
}

void BackwardPass::run(const std::vector<Edge>& roots, const TensorList& gradients) {
  count_dependencies(roots);
  for (std::size_t i = 0; i < roots.size(); ++i) deliver(roots[i], gradients[i]);
  std::vector<const Node*> started;
  for (const Edge& root : roots) {
    bool is_new = std::find(started.begin(), started.end(), root.node.get()) == started.end();
    if (is_new && dependencies_[root.node.get()] == 0) ready_.push(root.node);
    started.push_back(root.node.get());
  }
  while (!ready_.empty()) {
    NodePointer node = ready_.top();
    ready_.pop();
    process(node);
  }
}

std::vector<Edge> root_edges(const TensorList& outputs) {
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    edges.push_back(edge_of(outputs[i]));
    check(edges.back().node != nullptr, "element ", i,
          " of tensors does not require grad and does not have a grad_fn");
  }
  return edges;
}

TensorList root_gradients(const TensorList& outputs, const TensorList& given) {
  TensorList gradients;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (i < given.size() && given[i].defined()) {
      check(given[i].sizes() == outputs[i].sizes(), "Mismatch in shape: grad_output[", i,
            "] has a shape of ", given[i].sizes(), " and output[", i, "] has a shape of ",
            outputs[i].sizes(), ".");
      gradients.push_back(given[i]);
      continue;
    }
    check(outputs[i].numel() == 1, "grad can be implicitly created only for scalar outputs");
    gradients.push_back(ones_like(outputs[i]));
  }
  return gradients;
}

}  // namespace

void backward(const TensorList& outputs, const TensorList& gradients,
              std::optional<bool> retain_graph, bool create_graph) {
  std::vector<Edge> roots = root_edges(outputs);
  BackwardPass pass(retain_graph.value_or(create_graph), create_graph);
  pass.run(roots, root_gradients(outputs, gradients));
}

TensorList grad(const TensorList& outputs, const TensorList& inputs, const TensorList& gradients,
                std::optional<bool> retain_graph, bool create_graph, bool allow_unused) {
  std::vector<Edge> roots = root_edges(outputs);
  std::vector<Edge> wanted;
  BackwardPass pass(retain_graph.value_or(create_graph), create_graph);
  for (const Tensor& input : inputs) {
    wanted.push_back(edge_of(input));
    check(wanted.back().node != nullptr, "One of the differentiated Tensors does not require grad");
    pass.capture(wanted.back());
  }
  pass.run(roots, root_gradients(outputs, gradients));
  TensorList result;
  for (const Edge& edge : wanted) {
    result.push_back(pass.captured(edge));
    check(allow_unused || result.back().defined(),
          "One of the differentiated Tensors appears to not have been used in the graph. Set "
          "allow_unused=True if this is the desired behavior.");
  }
  return result;
}

}  // namespace placecheck::runtime::autograd
