#include <torch/torch.h>

#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>

// Architectures by name, for the comparison table.

struct Architecture : torch::nn::Module {
  virtual torch::Tensor forward(torch::Tensor x) = 0;
};

struct Plain : Architecture {
  Plain() { net = register_module("net", torch::nn::Linear(6, 3)); }
  torch::Tensor forward(torch::Tensor x) override { return net(x); }
  torch::nn::Linear net{nullptr};
};

struct Deep : Architecture {
  Deep() {
    for (int i = 0; i < 3; ++i) net->push_back(torch::nn::Linear(6, 6));
    net->push_back(torch::nn::Linear(6, 3));
    register_module("net", net);
  }
  torch::Tensor forward(torch::Tensor x) override { return net->forward(x); }
  torch::nn::Sequential net;
};

struct Residual : Architecture {
  Residual() : inner(std::make_shared<Deep>()), skip(6, 3) {
    gate = register_parameter("gate", torch::zeros({3}));
    register_module("inner", inner);
  }
  torch::Tensor forward(torch::Tensor x) override {
    auto direct = skip->forward(x);
    return direct + torch::sigmoid(gate) * inner->forward(x);
  }
  std::shared_ptr<Deep> inner;
  torch::nn::Linear skip; // expect: unregistered-state
  torch::Tensor gate;
};

using Builder = std::function<std::shared_ptr<Architecture>()>;

std::map<std::string, Builder>& registry() {
  static std::map<std::string, Builder> builders;
  return builders;
}

template <typename T>
void add(const std::string& name) {
  registry()[name] = [] { return std::make_shared<T>(); };
}

double evaluate(const std::string& name, torch::Device device) {
  auto net = registry().at(name)();
  net->to(device);
  torch::optim::SGD optimizer(net->parameters(), 0.05);
  double value = 0;
  for (int i = 0; i < 3; ++i) {
    auto x = torch::randn({10, 6}, device);
    auto loss = torch::mse_loss(net->forward(x), x.slice(1, 0, 3));
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    value = loss.item<double>();
  }
  return value;
}

int main() {
  torch::manual_seed(35);
  add<Plain>("plain");
  add<Deep>("deep");
  add<Residual>("residual");
  const torch::Device device("cuda:0");
  for (const auto& entry : registry()) {
    std::cout << entry.first << ": " << std::flush;
    std::cout << evaluate(entry.first, device) << std::endl;
  }
}
