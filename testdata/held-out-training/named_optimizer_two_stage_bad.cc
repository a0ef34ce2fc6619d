#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <string>
#include <vector>

// Fits a small two-stage network; the optimizer is chosen by name.
struct Settings {
  std::string optimizer = "lbfgs";
  double lr = 0.1;
  int iterations = 3;
};

class TwoStage : public torch::nn::Module {
 public:
  TwoStage(torch::Device a, torch::Device b) : a_(a), b_(b) {
    lower_ = register_module("lower", torch::nn::Linear(3, 6));
    upper_ = register_module("upper", torch::nn::Linear(6, 1));
    lower_->to(a_);
    upper_->to(b_);
  }
  torch::Tensor forward(const torch::Tensor& x) {
    auto h = torch::sigmoid(lower_(x.to(a_)));
    return upper_(h.to(b_));
  }
  torch::Device input_device() const { return a_; }
  torch::Device output_device() const { return b_; }

 private:
  torch::Device a_, b_;
  torch::nn::Linear lower_{nullptr}, upper_{nullptr};
};

std::unique_ptr<torch::optim::Optimizer> make_optimizer(const Settings& settings,
                                                        const std::vector<torch::Tensor>& params) {
  if (settings.optimizer == "sgd") {
    return std::make_unique<torch::optim::SGD>(params, torch::optim::SGDOptions(settings.lr));
  }
  if (settings.optimizer == "adam") {
    return std::make_unique<torch::optim::Adam>(params, torch::optim::AdamOptions(settings.lr));
  }
  return std::make_unique<torch::optim::LBFGS>(
      params, torch::optim::LBFGSOptions(settings.lr).max_iter(5).history_size(4));
}

int main() {
  torch::manual_seed(16);
  Settings settings;
  auto net = std::make_shared<TwoStage>(torch::Device("cuda:0"), torch::Device("cuda:1"));
  auto optimizer = make_optimizer(settings, net->parameters());

  auto x = torch::rand({40, 3}, torch::device(net->input_device()));
  auto y = (x.select(1, 0) - x.select(1, 1) * x.select(1, 2)).unsqueeze(1).to(net->output_device());

  int evaluations = 0;
  auto closure = [&]() -> torch::Tensor {
    optimizer->zero_grad();
    auto loss = torch::mse_loss(net->forward(x), y);
    loss.backward();
    ++evaluations;
    return loss;
  };

  {
    torch::NoGradGuard guard;
    std::cout << "start " << torch::mse_loss(net->forward(x), y).item<double>() << "\n";
  }
  for (int i = 0; i < settings.iterations; ++i) {
    auto loss = optimizer->step(closure); // expect: device-mismatch
    std::cout << "iteration " << i << " loss " << loss.item<double>() << " after " << evaluations
              << " evaluations\n";
  }
  return 0;
}
