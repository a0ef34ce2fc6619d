#include <torch/torch.h>

#include <iostream>
#include <string>
#include <vector>

#include "runtime/torch/data_parallel.h"

// Linear probing: everything under backbone is frozen, only the head learns.

class BackboneImpl : public torch::nn::Cloneable<BackboneImpl> {
 public:
  BackboneImpl() { reset(); }
  void reset() override {
    layer1 = register_module("layer1", torch::nn::Linear(8, 16));
    layer2 = register_module("layer2", torch::nn::Linear(16, 16));
  }
  torch::Tensor forward(torch::Tensor x) { return torch::gelu(layer2(torch::gelu(layer1(x)))); }

 private:
  torch::nn::Linear layer1{nullptr}, layer2{nullptr};
};
TORCH_MODULE(Backbone);

class ProbeImpl : public torch::nn::Cloneable<ProbeImpl> {
 public:
  ProbeImpl() { reset(); }
  void reset() override {
    backbone = register_module("backbone", Backbone());
    head = register_module("head", torch::nn::Linear(16, 3));
  }
  torch::Tensor forward(torch::Tensor x) { return head(backbone(x)); }

 private:
  Backbone backbone{nullptr};
  torch::nn::Linear head{nullptr};
};
TORCH_MODULE(Probe);

bool starts_with(const std::string& text, const std::string& prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

int freeze(torch::nn::Module& module, const std::string& prefix) {
  int frozen = 0;
  for (auto& item : module.named_parameters()) {
    if (starts_with(item.key(), prefix)) {
      item.value().set_requires_grad(false);
      ++frozen;
    }
  }
  return frozen;
}

int main() {
  torch::manual_seed(5);
  Probe probe;
  placecheck::parallel::DataParallel net(probe, {0, 1});
  net.to(torch::kCUDA);

  std::cout << "frozen tensors: " << freeze(net, "module.backbone.") << "\n";

  std::vector<torch::Tensor> trainable;
  for (const auto& p : net.parameters()) {
    if (p.requires_grad()) trainable.push_back(p);
  }
  TORCH_CHECK(trainable.size() == 2, "only the head's weight and bias should be trainable");
  torch::optim::SGD sgd(trainable, 0.1);

  const auto before = net.named_parameters()["module.backbone.layer1.weight"].clone();
  for (int i = 0; i < 3; ++i) {
    auto x = torch::randn({6, 8});
    auto y = torch::randint(0, 3, {6}, torch::kLong).to(torch::kCUDA);
    sgd.zero_grad();
    auto loss = torch::nn::functional::cross_entropy(net.forward(x), y);
    loss.backward();
    sgd.step();
    std::cout << loss.item<float>() << "\n";
  }
  const auto after = net.named_parameters()["module.backbone.layer1.weight"];
  std::cout << "backbone unchanged: " << std::boolalpha << torch::equal(before, after) << "\n";
}
