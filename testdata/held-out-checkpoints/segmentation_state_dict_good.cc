#include <torch/torch.h>

#include "runtime/torch/data_parallel.h"

#include <iostream>
#include <map>
#include <stdexcept>
#include <string>

using StateDict = std::map<std::string, torch::Tensor>;

struct SegNetImpl : torch::nn::Cloneable<SegNetImpl> {
  SegNetImpl() { reset(); }
  void reset() override {
    down = register_module("down", torch::nn::Conv2d(torch::nn::Conv2dOptions(3, 4, 3).padding(1)));
    bn = register_module("bn", torch::nn::BatchNorm2d(4));
    up = register_module("up", torch::nn::Conv2d(torch::nn::Conv2dOptions(4, 2, 1)));
  }
  torch::Tensor forward(torch::Tensor x) { return up(torch::relu(bn(down(x)))); }

  torch::nn::Conv2d down{nullptr}, up{nullptr};
  torch::nn::BatchNorm2d bn{nullptr};
};
TORCH_MODULE(SegNet);

StateDict state_of(const torch::nn::Module& module) {
  StateDict state;
  for (const auto& p : module.named_parameters()) state[p.key()] = p.value().detach().cpu().clone();
  for (const auto& b : module.named_buffers()) state[b.key()] = b.value().cpu().clone();
  return state;
}

StateDict strip_prefix(const StateDict& state) {
  static const std::string prefix = "module.";
  StateDict stripped;
  for (const auto& [key, value] : state) {
    if (key.compare(0, prefix.size(), prefix) == 0) {
      stripped[key.substr(prefix.size())] = value;
    } else {
      stripped[key] = value;
    }
  }
  return stripped;
}

void load_strict(torch::nn::Module& module, const StateDict& state) {
  torch::NoGradGuard no_grad;
  auto fill = [&state](const std::string& key, torch::Tensor& target) {
    auto found = state.find(key);
    if (found == state.end()) throw std::runtime_error("missing key in state dict: " + key);
    target.copy_(found->second);
  };
  for (auto& p : module.named_parameters()) fill(p.key(), p.value());
  for (auto& b : module.named_buffers()) fill(b.key(), b.value());
}

int main() {
  torch::manual_seed(2);
  torch::Device gpu("cuda:0");

  SegNet net;
  placecheck::parallel::DataParallel parallel(net, {0, 1});
  parallel.to(gpu);
  parallel.forward(torch::randn({4, 3, 5, 5}));
  StateDict checkpoint = state_of(parallel);
  std::cout << "first key saved: " << checkpoint.begin()->first << "\n";

  SegNet single;
  single->to(torch::Device("cuda:1"));
  load_strict(*single, strip_prefix(checkpoint));
  single->eval();
  auto mask = single->forward(torch::randn({1, 3, 5, 5}, torch::Device("cuda:1"))).argmax(1);
  std::cout << "mask sum " << mask.sum().item<int64_t>() << "\n";
  return 0;
}
