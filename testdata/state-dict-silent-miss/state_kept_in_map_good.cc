// States of the same kind of module, and of part of a net.
#include <torch/torch.h>

#include <iostream>
#include <map>
#include <memory>
#include <string>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;

using StateDict = std::map<std::string, torch::Tensor>;

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override {
    conv = register_module("conv", torch::nn::Conv1d(torch::nn::Conv1dOptions(2, 4, 3)));
    norm = register_module("norm", torch::nn::BatchNorm1d(4));
  }
  torch::Tensor forward(torch::Tensor x) { return norm(conv(x)); }
  torch::nn::Conv1d conv{nullptr};
  torch::nn::BatchNorm1d norm{nullptr};
};
TORCH_MODULE(Net);

// A net with another head than the one whose state it takes.
struct TaggedImpl : torch::nn::Module {
  TaggedImpl() {
    conv = register_module("conv", torch::nn::Conv1d(torch::nn::Conv1dOptions(2, 4, 3)));
    tags = register_module("tags", torch::nn::Linear(7, 2));
  }
  torch::nn::Conv1d conv{nullptr};
  torch::nn::Linear tags{nullptr};
};
TORCH_MODULE(Tagged);

StateDict state_of(const torch::nn::Module& module, const std::string& prefix = "") {
  StateDict state;
  for (const auto& entry : module.named_parameters()) {
    state.emplace(prefix + entry.key(), entry.value().detach().clone());
  }
  return state;
}

int restore(torch::nn::Module& module, const StateDict& state) {
  torch::NoGradGuard no_grad;
  int restored = 0;
  for (auto& entry : module.named_parameters()) {
    if (state.count(entry.key()) == 0) continue;
    entry.value().copy_(state.at(entry.key()));
    ++restored;
  }
  return restored;
}

int main() {
  Net net, other;
  DataParallel parallel(net), other_parallel(other);
  parallel.to(torch::Device(torch::kCUDA, 0));
  const StateDict of_wrapper = state_of(parallel);
  const StateDict of_net = state_of(*net);
  const StateDict prefixed = state_of(*net, "module.");
  std::cout << restore(parallel, of_wrapper) << '\n';
  std::cout << restore(other_parallel, of_wrapper) << '\n';
  std::cout << restore(*other, of_net) << '\n';
  std::cout << restore(parallel, prefixed) << '\n';
  Tagged tagged;
  std::cout << restore(*tagged, of_net) << " of the backbone\n";
}
