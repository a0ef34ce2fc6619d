#include <torch/torch.h>

#include <iostream>
#include <limits>
#include <string>
#include <utility>
#include <vector>

// Early stopping that keeps the best weights in host memory, so that they cost no GPU memory.
class EarlyStopping {
 public:
  EarlyStopping(int patience, double min_delta) : patience_(patience), min_delta_(min_delta) {}

  // Returns true when training should stop.
  bool step(double loss, const torch::nn::Module& model) {
    if (loss < best_ - min_delta_) {
      best_ = loss;
      bad_epochs_ = 0;
      best_weights_.clear();
      for (const auto& p : model.parameters()) best_weights_.push_back(p.detach().to(torch::kCPU));
      return false;
    }
    return ++bad_epochs_ >= patience_;
  }

  void restore(torch::nn::Module& model) const {
    auto parameters = model.parameters();
    for (size_t i = 0; i < parameters.size(); ++i) parameters[i].set_data(best_weights_[i]);
  }

  double best() const { return best_; }

 private:
  int patience_;
  double min_delta_;
  double best_ = std::numeric_limits<double>::infinity();
  int bad_epochs_ = 0;
  std::vector<torch::Tensor> best_weights_;
};

struct CreditNetImpl : torch::nn::Module {
  CreditNetImpl() {
    hidden = register_module("hidden", torch::nn::Linear(9, 12));
    risk = register_module("risk", torch::nn::Linear(12, 1));
  }
  torch::Tensor forward(const torch::Tensor& x) {
    auto h = torch::relu(hidden(x));
    return risk(h).squeeze(1);
  }
  torch::nn::Linear hidden{nullptr}, risk{nullptr};
};
TORCH_MODULE(CreditNet);

std::pair<torch::Tensor, torch::Tensor> sample(int64_t n, torch::Device device) {
  auto x = torch::randn({n, 9}, device);
  auto y = (x.sum(1) > 0).to(torch::kFloat);
  return {x, y};
}

double evaluate(CreditNet& net, torch::Device device) {
  torch::NoGradGuard guard;
  net->eval();
  auto [x, y] = sample(32, device);
  auto logits = net(x); // expect: device-mismatch
  return torch::binary_cross_entropy_with_logits(logits, y).item<double>();
}

int main() {
  torch::manual_seed(9);
  const torch::Device device(torch::kCUDA, 0);
  CreditNet net;
  net->to(device);
  torch::optim::Adam adam(net->parameters(), 0.01);
  EarlyStopping stopper(3, 1e-4);

  for (int epoch = 0; epoch < 15; ++epoch) {
    net->train();
    auto [x, y] = sample(32, device);
    adam.zero_grad();
    auto loss = torch::binary_cross_entropy_with_logits(net(x), y);
    loss.backward();
    adam.step();
    if (stopper.step(evaluate(net, device), *net)) {
      std::cout << "stopped at epoch " << epoch << std::endl;
      break;
    }
  }
  stopper.restore(*net);
  std::cout << "best " << stopper.best() << std::endl;
  std::cout << "final " << evaluate(net, device) << std::endl;
}
