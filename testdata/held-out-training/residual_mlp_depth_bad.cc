#include <torch/torch.h>

#include <iostream>
#include <vector>

#include "runtime/torch/data_parallel.h"

// Residual MLP whose depth is a parameter.

struct ResidualOptions {
  int64_t inputs = 6;
  int64_t width = 10;
  int64_t depth = 3;
  int64_t outputs = 2;
};

class ResidualNetImpl : public torch::nn::Cloneable<ResidualNetImpl> {
 public:
  explicit ResidualNetImpl(ResidualOptions options) : options_(options) { reset(); }

  void reset() override {
    stem_ = register_module("stem", torch::nn::Linear(options_.inputs, options_.width));
    blocks_.clear();
    for (int64_t i = 0; i < options_.depth; ++i) {
      torch::nn::Sequential block(torch::nn::Linear(options_.width, options_.width), torch::nn::ReLU(),
                                  torch::nn::Linear(options_.width, options_.width));
      blocks_.push_back(block);
    }
    head_ = register_module("head", torch::nn::Linear(options_.width, options_.outputs));
  }

  torch::Tensor forward(torch::Tensor x) {
    x = stem_(x);
    for (auto& block : blocks_) {
      x = x + block->forward(torch::relu(x));
    }
    return head_(x);
  }

 private:
  ResidualOptions options_;
  torch::nn::Linear stem_{nullptr}, head_{nullptr};
  std::vector<torch::nn::Sequential> blocks_; // expect: unregistered-state
};
TORCH_MODULE(ResidualNet);

int main() {
  torch::manual_seed(18);
  ResidualOptions options;
  options.depth = 4;

  ResidualNet model(options);
  placecheck::parallel::DataParallel net(model, {torch::Device("cuda:0"), torch::Device("cuda:1")});
  net.to(torch::Device("cuda:0"));

  int64_t count = 0;
  for (const auto& p : net.parameters()) count += p.numel();
  std::cout << count << " parameters\n";

  torch::optim::SGD optimizer(net.parameters(), torch::optim::SGDOptions(0.05).weight_decay(1e-4));
  torch::optim::StepLR scheduler(optimizer, 5, 0.5);
  for (int step = 0; step < 10; ++step) {
    auto x = torch::randn({12, options.inputs});
    auto y = torch::stack({x.sum(1), x.prod(1)}, 1).to(torch::Device("cuda:0"));
    auto loss = torch::mse_loss(net.forward(x), y);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    scheduler.step();
    if (step % 3 == 0) std::cout << "step " << step << ": " << loss.item<float>() << "\n";
  }
}
