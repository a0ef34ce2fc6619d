#include <torch/torch.h>

#include "runtime/torch/data_parallel.h"

#include <algorithm>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

struct BackboneNetImpl : torch::nn::Cloneable<BackboneNetImpl> {
  torch::nn::Sequential backbone{nullptr};
  torch::nn::Linear neck{nullptr}, head{nullptr};

  BackboneNetImpl() { reset(); }
  void reset() override {
    backbone = register_module(
        "backbone", torch::nn::Sequential(torch::nn::Linear(9, 9), torch::nn::ReLU(),
                                          torch::nn::Linear(9, 9), torch::nn::ReLU()));
    neck = register_module("neck", torch::nn::Linear(9, 6));
    head = register_module("head", torch::nn::Linear(6, 2));
  }
  torch::Tensor forward(torch::Tensor x) { return head(torch::relu(neck(backbone->forward(x)))); }
};
TORCH_MODULE(BackboneNet);

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

// Freezes all parameters whose name begins with one of `prefixes`, wrapped or not; returns how many.
int freeze(torch::nn::Module& model, const std::vector<std::string>& prefixes) {
  int count = 0;
  for (auto& item : model.named_parameters()) {
    std::string_view name = item.key();
    if (starts_with(name, "module.")) name.remove_prefix(7);
    bool frozen = std::any_of(prefixes.begin(), prefixes.end(),
                              [name](const std::string& p) { return starts_with(name, p); });
    if (!frozen) continue;
    item.value().set_requires_grad(false);
    ++count;
  }
  return count;
}

std::vector<torch::Tensor> trainable(const torch::nn::Module& model) {
  std::vector<torch::Tensor> list;
  for (auto& p : model.parameters()) {
    if (p.requires_grad()) list.push_back(p);
  }
  return list;
}

int main() {
  torch::manual_seed(33);
  auto net = BackboneNet();
  placecheck::parallel::DataParallel model(net, {0, 1});
  model.to(torch::Device("cuda:0"));
  std::cout << freeze(model, {"backbone.", "neck."}) << " parameters frozen\n";

  torch::optim::SGD optimizer(trainable(model), 0.1);
  for (int i = 0; i < 3; ++i) {
    optimizer.zero_grad();
    auto out = model.forward(torch::randn({5, 9}));
    auto loss = out.pow(2).mean();
    loss.backward();
    optimizer.step();
    std::cout << loss.item<float>() << "\n";
  }

  // The inner net has the names without the prefix.
  auto names = model.module()->named_parameters();
  std::cout << std::boolalpha << names["head.weight"].requires_grad() << " "
            << names["neck.weight"].requires_grad() << "\n";
}
