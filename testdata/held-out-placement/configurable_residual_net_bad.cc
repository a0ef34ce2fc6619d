#include <torch/torch.h>

#include <iostream>
#include <vector>

// A residual network of configurable depth.
struct ResMlpConfig {
  int64_t input = 10;
  int64_t width = 16;
  int64_t classes = 3;
  int depth = 4;
};

class ResMlp : public torch::nn::Module {
 public:
  explicit ResMlp(const ResMlpConfig& config) {
    stem = register_module("stem", torch::nn::Linear(config.input, config.width));
    for (int i = 0; i < config.depth; ++i) {
      blocks.push_back(torch::nn::Linear(config.width, config.width));
    }
    norm = register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({config.width})));
    head = register_module("head", torch::nn::Linear(config.width, config.classes));
  }

  torch::Tensor forward(torch::Tensor x) {
    x = torch::relu(stem(x));
    for (auto& block : blocks) {
      x = x + torch::relu(block(x));
    }
    return head(norm(x));
  }

 private:
  torch::nn::Linear stem{nullptr};
  std::vector<torch::nn::Linear> blocks; // expect: unregistered-state
  torch::nn::LayerNorm norm{nullptr};
  torch::nn::Linear head{nullptr};
};

int main() {
  torch::manual_seed(7);
  const auto device = torch::Device(torch::kCUDA, 1);

  ResMlpConfig config;
  config.depth = 3;
  ResMlp net(config);
  net.to(device);

  int64_t count = 0;
  for (const auto& p : net.parameters()) count += p.numel();
  std::cout << "parameters: " << count << '\n';

  torch::optim::AdamW optimizer(net.parameters(), torch::optim::AdamWOptions(1e-3));
  for (int step = 0; step < 10; ++step) {
    auto x = torch::randn({32, config.input}, device);
    auto y = (x.sum(1) > 0).to(torch::kLong);
    auto logits = net.forward(x);
    auto loss = torch::nn::functional::cross_entropy(logits, y);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    if (step % 5 == 0) std::cout << "loss " << loss.item<float>() << '\n';
  }
}
