#include <torch/torch.h>

#include <cstdlib>
#include <iostream>
#include <string>

// Trains a small regression on the card that is not driving the display.

struct Options {
  std::string visible = "1";
  std::string device = "cuda:1";
  int steps = 20;
  double lr = 0.05;
};

static torch::nn::Sequential build_model() {
  return torch::nn::Sequential(torch::nn::Linear(3, 8), torch::nn::Tanh(), torch::nn::Linear(8, 1));
}

class Trainer {
 public:
  explicit Trainer(const Options& options)
      : options_(options), device_(options.device), model_(build_model()) { // expect: visible-devices
    model_->to(device_);
  }

  float run() {
    torch::optim::SGD optimizer(model_->parameters(), torch::optim::SGDOptions(options_.lr));
    auto weights = torch::tensor({0.5f, -1.0f, 2.0f}, device_).unsqueeze(1);
    float last = 0;
    for (int i = 0; i < options_.steps; ++i) {
      auto x = torch::randn({16, 3}, device_);
      auto loss = torch::mse_loss(model_->forward(x), x.mm(weights));
      optimizer.zero_grad();
      loss.backward();
      optimizer.step();
      last = loss.item<float>();
    }
    return last;
  }

 private:
  Options options_;
  torch::Device device_;
  torch::nn::Sequential model_;
};

int main() {
  Options options;
  setenv("CUDA_VISIBLE_DEVICES", options.visible.c_str(), 1);
  std::cout << "GPU: " << options.visible << "\n";

  torch::manual_seed(11);
  Trainer trainer(options);
  std::cout << "final loss " << trainer.run() << "\n";
  return 0;
}
