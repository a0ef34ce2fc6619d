// The wrapper is a module with one child, `module`: what belongs to the net is asked of the net.
#include <torch/torch.h>

#include <iostream>
#include <memory>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override { layer = register_module("layer", torch::nn::Linear(5, 3)); }
  torch::Tensor forward(torch::Tensor x) { return layer->forward(x); }
  int64_t classes() const { return 3; }
  torch::nn::Linear layer{nullptr};
};
TORCH_MODULE(Net);

int main() {
  Net net;
  net->to(torch::kCUDA);
  auto parallel = std::make_shared<DataParallel>(net);
  for (const auto& child : parallel->named_children()) std::cout << child.key() << '\n';
  for (const auto& entry : parallel->named_parameters()) std::cout << entry.key() << '\n';
  auto output = parallel->forward(torch::rand({4, 5}));
  std::cout << output.sizes() << ' ' << net->classes() << ' ' << net->layer->weight.device()
            << '\n';
}
