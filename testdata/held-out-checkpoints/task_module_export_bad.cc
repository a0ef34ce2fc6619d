#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "runtime/torch/data_parallel.h"

// A Lightning-like task owns its network as "module"; the task itself is run data parallel.

struct Backbone : torch::nn::Cloneable<Backbone> {
  Backbone() { reset(); }
  void reset() override {
    conv = register_module("conv", torch::nn::Conv2d(torch::nn::Conv2dOptions(1, 4, 3)));
    fc = register_module("fc", torch::nn::Linear(4, 2));
  }
  torch::Tensor forward(torch::Tensor x) { return fc(torch::relu(conv(x)).mean({2, 3})); }
  torch::nn::Conv2d conv{nullptr};
  torch::nn::Linear fc{nullptr};
};

struct Task : torch::nn::Cloneable<Task> {
  Task() { reset(); }
  void reset() override { module = register_module("module", std::make_shared<Backbone>()); }
  torch::Tensor forward(torch::Tensor x) { return torch::log_softmax(module->forward(x), 1); }
  std::shared_ptr<Backbone> module;
};

using State = std::unordered_map<std::string, torch::Tensor>;

State export_weights(const torch::nn::Module& m) {
  constexpr std::string_view kPrefix = "module.";
  State state;
  for (const auto& item : m.named_parameters()) {
    std::string_view name = item.key();
    if (name.substr(0, kPrefix.size()) == kPrefix) name.remove_prefix(kPrefix.size());
    state.emplace(std::string(name), item.value().detach().to(torch::kCPU));
  }
  return state;
}

void import_weights(torch::nn::Module& m, const State& state) {
  torch::NoGradGuard guard;
  for (auto& item : m.named_parameters()) {
    item.value().copy_(state.at(item.key())); // expect: state-dict-prefix
  }
}

void fit(placecheck::parallel::DataParallel& runner, torch::Device device) {
  torch::optim::SGD sgd(runner.parameters(), 0.1);
  for (int i = 0; i < 3; ++i) {
    auto images = torch::rand({6, 1, 5, 5}, device);
    auto labels = torch::randint(0, 2, {6}, torch::kLong).to(device);
    sgd.zero_grad();
    auto loss = torch::nll_loss(runner.forward(images), labels);
    loss.backward();
    sgd.step();
    std::cout << "step " << i << " " << loss.item<float>() << std::endl;
  }
}

int main() {
  torch::manual_seed(53);
  const torch::Device device("cuda:0");
  auto task = std::make_shared<Task>();
  placecheck::parallel::DataParallel runner(task, {0, 1});
  runner.to(device);
  fit(runner, device);

  const State state = export_weights(runner);
  std::cout << "exported " << state.size() << " tensors" << std::endl;

  Backbone deployed;
  import_weights(deployed, state);
  deployed.eval();
  torch::NoGradGuard guard;
  std::cout << deployed.forward(torch::rand({2, 1, 5, 5})).argmax(1) << "\n";
}
