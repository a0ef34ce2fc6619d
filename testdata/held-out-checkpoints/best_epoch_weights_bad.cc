#include <torch/torch.h>

#include <iostream>
#include <limits>
#include <map>
#include <string>

// Keeps the weights of the best epoch in host memory, to spare the card.
class BestWeights {
 public:
  bool offer(const torch::nn::Module& model, double loss) {
    if (loss >= best_) return false;
    best_ = loss;
    weights_.clear();
    for (const auto& p : model.named_parameters()) {
      weights_[p.key()] = p.value().detach().to(torch::kCPU).clone();
    }
    return true;
  }

  void restore(torch::nn::Module& model) const {
    for (auto& p : model.named_parameters()) {
      p.value().set_data(weights_.at(p.key()));
    }
  }

  double best() const { return best_; }

 private:
  double best_ = std::numeric_limits<double>::infinity();
  std::map<std::string, torch::Tensor> weights_;
};

struct Forecaster : torch::nn::Module {
  explicit Forecaster(int64_t window)
      : hidden(register_module("hidden", torch::nn::Linear(window, 10))),
        next(register_module("next", torch::nn::Linear(10, 1))) {}
  torch::Tensor forward(torch::Tensor series) {
    auto h = torch::tanh(hidden(series));
    return next(h).squeeze(-1);
  }
  torch::nn::Linear hidden, next;
};

int main() {
  torch::manual_seed(27);
  const int64_t window = 6;
  const torch::Device device(torch::kCUDA);

  auto time = torch::arange(0, 60, torch::kFloat) * 0.3;
  auto windows = torch::sin(time).unfold(0, window + 1, 1).contiguous().to(device);
  auto inputs = windows.narrow(1, 0, window);
  auto targets = windows.select(1, window);
  auto split = inputs.size(0) * 3 / 4;

  Forecaster model(window);
  model.to(device);
  BestWeights keeper;
  torch::optim::SGD optimizer(model.parameters(), torch::optim::SGDOptions(0.2));

  for (int epoch = 0; epoch < 6; ++epoch) {
    optimizer.zero_grad();
    auto loss = torch::mse_loss(model.forward(inputs.slice(0, 0, split)), targets.slice(0, 0, split));
    loss.backward();
    optimizer.step();
    torch::NoGradGuard no_grad;
    auto validation =
        torch::mse_loss(model.forward(inputs.slice(0, split)), targets.slice(0, split));
    bool better = keeper.offer(model, validation.item<double>());
    std::cout << "epoch " << epoch << (better ? " *" : "") << "\n";
  }

  std::cout << "best validation loss " << keeper.best() << std::endl;
  keeper.restore(model);
  torch::NoGradGuard no_grad;
  auto final_loss = torch::mse_loss(model.forward(inputs), targets); // expect: device-mismatch
  std::cout << "loss over everything " << final_loss.item<double>() << std::endl;
  return 0;
}
