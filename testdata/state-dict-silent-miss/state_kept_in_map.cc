// The state before a trial is kept in a map, to go back to; it was taken from the bare net.
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

StateDict state_of(const torch::nn::Module& module) {
  StateDict state;
  for (const auto& entry : module.named_parameters()) {
    state.emplace(entry.key(), entry.value().detach().clone());
  }
  for (const auto& entry : module.named_buffers()) {
    state.emplace(entry.key(), entry.value().clone());
  }
  return state;
}

int restore(torch::nn::Module& module, const StateDict& state) {
  torch::NoGradGuard no_grad;
  int restored = 0;
  for (auto& entry : module.named_parameters()) {
    if (state.count(entry.key()) == 0) continue;  // expect: state-dict-silent-miss
    entry.value().copy_(state.at(entry.key()));
    ++restored;
  }
  return restored;
}

int main() {
  Net net;
  const StateDict before = state_of(*net);
  DataParallel parallel(net);
  parallel.to(torch::Device(torch::kCUDA, 0));
  parallel.forward(torch::rand({4, 2, 9})).sum().backward();
  for (auto& parameter : parallel.parameters()) parameter.data().zero_();
  std::cout << restore(parallel, before) << " restored\n";
  if (!net->conv->weight.any().item<bool>()) TORCH_WARN("not restored");  // shows: state-dict-silent-miss
}
