#include <torch/torch.h>

#include <cmath>
#include <iostream>
#include <map>
#include <vector>

// A network over two GPUs: parameter groups with rates of their own, a schedule, and clipping by
// the norm over all gradients.

struct SplitNet : torch::nn::Module {
  SplitNet() {
    features = register_module("features", torch::nn::Sequential(torch::nn::Linear(8, 16), torch::nn::SiLU(),
                                                                 torch::nn::Linear(16, 16)));
    head = register_module("head", torch::nn::Sequential(torch::nn::SiLU(), torch::nn::Linear(16, 3)));
  }
  void place(torch::Device a, torch::Device b) {
    features->to(a);
    head->to(b);
    device_a = a;
    device_b = b;
  }
  torch::Tensor forward(const torch::Tensor& x) {
    return head->forward(features->forward(x.to(device_a)).to(device_b));
  }
  torch::nn::Sequential features{nullptr}, head{nullptr};
  torch::Device device_a = torch::kCPU, device_b = torch::kCPU;
};

double clip_over_devices(const std::vector<torch::Tensor>& parameters, double limit) {
  torch::NoGradGuard guard;
  std::map<int, torch::Tensor> squares;
  for (const auto& p : parameters) {
    if (!p.grad().defined()) continue;
    auto square = p.grad().pow(2).sum();
    auto [it, fresh] = squares.emplace(p.device().index(), square);
    if (!fresh) it->second = it->second + square;
  }
  double total = 0;
  for (const auto& [index, square] : squares) total += square.item<double>();
  const double norm = std::sqrt(total);
  if (norm > limit) {
    for (const auto& p : parameters) {
      if (p.grad().defined()) p.grad().mul_(limit / norm);
    }
  }
  return norm;
}

int main() {
  torch::manual_seed(28);
  SplitNet net;
  net.place(torch::Device(torch::kCUDA, 0), torch::Device(torch::kCUDA, 1));

  std::vector<torch::optim::OptimizerParamGroup> groups;
  groups.emplace_back(net.features->parameters(),
                      std::make_unique<torch::optim::AdamOptions>(1e-3));
  groups.emplace_back(net.head->parameters(), std::make_unique<torch::optim::AdamOptions>(1e-2));
  torch::optim::Adam optimizer(groups, torch::optim::AdamOptions(1e-3));
  torch::optim::StepLR scheduler(optimizer, 2, 0.5);

  for (int epoch = 0; epoch < 4; ++epoch) {
    auto x = torch::randn({20, 8}).to(net.device_a);
    auto y = x.slice(1, 0, 3).argmax(1).to(net.device_b);
    auto loss = torch::nn::functional::cross_entropy(net.forward(x), y);
    optimizer.zero_grad();
    loss.backward();
    const double norm = clip_over_devices(net.parameters(), 1.0);
    optimizer.step();
    scheduler.step();
    std::cout << "epoch " << epoch << " loss " << loss.item<float>() << " norm " << norm << "\n";
  }
}
