#include <torch/torch.h>

#include <functional>
#include <iostream>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

struct ExperimentConfig {
  std::string name;
  std::string activation = "relu";
  int64_t depth = 2;
  int64_t width = 8;
  std::optional<int> gpu;
};

using Activation = std::function<torch::Tensor(const torch::Tensor&)>;

const std::unordered_map<std::string, Activation>& activations() {
  static const std::unordered_map<std::string, Activation> table{
      {"relu", [](const torch::Tensor& t) { return torch::relu(t); }},
      {"gelu", [](const torch::Tensor& t) { return torch::gelu(t); }},
      {"scaled_tanh",
       [](const torch::Tensor& t) { return torch::tanh(t) * torch::full({1}, 1.7, t.options()); }},
  };
  return table;
}

class ConfigurableNet : public torch::nn::Module {
 public:
  explicit ConfigurableNet(const ExperimentConfig& config)
      : activation_(activations().at(config.activation)) {
    int64_t in = 4;
    for (int64_t i = 0; i < config.depth; ++i) {
      layers_.push_back(
          register_module("layer" + std::to_string(i), torch::nn::Linear(in, config.width)));
      in = config.width;
    }
    last_ = register_module("last", torch::nn::Linear(in, 2));
    offset_ = register_buffer("offset", torch::full({4}, 0.5));
  }

  torch::Tensor forward(torch::Tensor x) {
    x = x - offset_;
    for (auto& layer : layers_) x = activation_(layer(x));
    return last_(x);
  }

 private:
  Activation activation_;
  std::vector<torch::nn::Linear> layers_;
  torch::nn::Linear last_{nullptr};
  torch::Tensor offset_;
};

float run(const ExperimentConfig& config) {
  torch::Device device(torch::kCUDA, config.gpu.value_or(0));
  ConfigurableNet net(config);
  net.to(device);
  torch::optim::Adam optimizer(net.parameters(), torch::optim::AdamOptions(1e-2));
  float loss_value = 0;
  for (int step = 0; step < 4; ++step) {
    auto x = torch::rand({16, 4}, torch::TensorOptions().device(device));
    auto y = (x.sum(1) > 2).to(torch::kLong);
    optimizer.zero_grad();
    auto loss = torch::nn::functional::cross_entropy(net.forward(x), y);
    loss.backward();
    optimizer.step();
    loss_value = loss.item<float>();
  }
  return loss_value;
}

int main() {
  torch::manual_seed(36);
  std::vector<ExperimentConfig> experiments;
  experiments.push_back({"baseline"});
  experiments.push_back({"wide", "gelu", 2, 24, 1});
  experiments.push_back({"deep", "scaled_tanh", 4, 8, 1});
  for (const auto& config : experiments) {
    std::cout << config.name << " (gpu " << config.gpu.value_or(0) << "): " << run(config) << "\n";
  }
}
