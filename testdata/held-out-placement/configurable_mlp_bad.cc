#include <torch/torch.h>

#include <iostream>
#include <vector>

struct MlpConfig {
  int64_t inputs = 7;
  std::vector<int64_t> hidden = {16, 16, 8};
  int64_t outputs = 2;
  bool skip = true;
};

struct MlpImpl : torch::nn::Module {
  explicit MlpImpl(const MlpConfig& config) : skip(config.skip) {
    int64_t width = config.inputs;
    for (auto size : config.hidden) {
      hidden.emplace_back(width, size);
      width = size;
    }
    output = register_module("output", torch::nn::Linear(width, config.outputs));
    if (skip) shortcut = register_module("shortcut", torch::nn::Linear(config.inputs, config.outputs));
  }

  torch::Tensor forward(const torch::Tensor& x) {
    auto y = x;
    for (auto& layer : hidden) {
      y = torch::relu(layer(y));
    }
    y = output(y);
    return skip ? y + shortcut(x) : y;
  }

  bool skip;
  std::vector<torch::nn::Linear> hidden; // expect: unregistered-state
  torch::nn::Linear output{nullptr}, shortcut{nullptr};
};
TORCH_MODULE(Mlp);

static void report(const torch::nn::Module& module) {
  int64_t count = 0;
  for (const auto& p : module.parameters()) count += p.numel();
  std::cout << count << " parameters" << std::endl;
}

int main() {
  torch::manual_seed(50);
  MlpConfig config;
  config.hidden = {12, 12};

  Mlp mlp(config);
  torch::Device device(torch::kCUDA, 1);
  mlp->to(device);
  report(*mlp);

  torch::optim::SGD optimizer(mlp->parameters(), torch::optim::SGDOptions(0.05).weight_decay(1e-4));
  auto mixing = torch::randn({config.inputs, config.outputs}, device);
  for (int i = 0; i < 10; ++i) {
    auto x = torch::randn({16, config.inputs}, device);
    auto y = torch::sin(x.matmul(mixing));
    optimizer.zero_grad();
    auto loss = torch::mse_loss(mlp->forward(x), y);
    loss.backward();
    optimizer.step();
    if (i % 4 == 0) std::cout << i << " " << loss.item<float>() << std::endl;
  }
  return 0;
}
