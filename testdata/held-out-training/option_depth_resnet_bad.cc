#include <torch/torch.h>

#include <iostream>
#include <string>
#include <vector>

// Residual MLP whose depth is an option.
struct NetOptions {
  int64_t in = 8;
  int64_t width = 16;
  int64_t out = 1;
  int depth = 3;
};

struct BlockImpl : torch::nn::Module {
  explicit BlockImpl(int64_t width)
      : norm(torch::nn::LayerNormOptions({width})), fc1(width, 2 * width), fc2(2 * width, width) {
    register_module("norm", norm);
    register_module("fc1", fc1);
    register_module("fc2", fc2);
  }
  torch::Tensor forward(torch::Tensor x) { return x + fc2(torch::silu(fc1(norm(x)))); }
  torch::nn::LayerNorm norm;
  torch::nn::Linear fc1, fc2;
};
TORCH_MODULE(Block);

struct ResNetImpl : torch::nn::Module {
  explicit ResNetImpl(const NetOptions& o) {
    stem = register_module("stem", torch::nn::Linear(o.in, o.width));
    for (int i = 0; i < o.depth; ++i) blocks.emplace_back(o.width);
    head = register_module("head", torch::nn::Linear(o.width, o.out));
  }

  torch::Tensor forward(torch::Tensor x) {
    x = stem(x);
    for (auto& block : blocks) {
      x = block(x);
    }
    return head(x);
  }

  torch::nn::Linear stem{nullptr}, head{nullptr};
  std::vector<Block> blocks; // expect: unregistered-state
};
TORCH_MODULE(ResNet);

int64_t count(const torch::nn::Module& module) {
  int64_t n = 0;
  for (const auto& p : module.parameters()) n += p.numel();
  return n;
}

torch::Tensor target_function(const torch::Tensor& x) {
  return (x.select(1, 0) * x.select(1, 1)).unsqueeze(1) + x.mean(1, true);
}

int main() {
  torch::manual_seed(13);
  NetOptions options;
  options.depth = 2;

  torch::Device device(torch::cuda::is_available() ? "cuda:0" : "cpu");
  ResNet net(options);
  net->to(device);
  std::cout << count(*net) << " parameters on " << device << "\n";

  torch::optim::AdamW optimizer(net->parameters(), torch::optim::AdamWOptions(3e-3));
  for (int step = 0; step < 5; ++step) {
    auto x = torch::randn({32, options.in}, torch::device(device));
    auto y = target_function(x);
    optimizer.zero_grad();
    auto loss = torch::mse_loss(net->forward(x), y);
    loss.backward();
    optimizer.step();
    std::cout << "step " << step << " loss " << loss.item<float>() << "\n";
  }
  return 0;
}
