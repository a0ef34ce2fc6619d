#include <torch/torch.h>

#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <unistd.h>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;

// Trains on two GPUs, saves, and loads the weights into a single-GPU model for deployment.
struct DetectorImpl : torch::nn::Cloneable<DetectorImpl> {
  DetectorImpl() { reset(); }
  void reset() override {
    backbone = register_module(
        "backbone", torch::nn::Sequential(
                        torch::nn::Conv1d(torch::nn::Conv1dOptions(2, 6, 3).padding(1)),
                        torch::nn::ReLU(), torch::nn::AdaptiveMaxPool1d(1), torch::nn::Flatten()));
    head = register_module("head", torch::nn::Linear(6, 2));
  }
  torch::Tensor forward(torch::Tensor x) { return head(backbone->forward(x)); }
  torch::nn::Sequential backbone{nullptr};
  torch::nn::Linear head{nullptr};
};
TORCH_MODULE(Detector);

std::string checkpoint_path() {
  return "/tmp/detector_" + std::to_string(::getpid()) + ".pt";
}

std::pair<torch::Tensor, torch::Tensor> make_batch(int64_t n) {
  auto x = torch::randn({n, 2, 10});
  auto y = x.select(1, 0).amax(1).gt(x.select(1, 1).amax(1)).to(torch::kLong);
  return {x, y};
}

void train(const std::string& path) {
  torch::Device device("cuda:0");
  Detector detector;
  detector->to(device);
  auto net = std::make_shared<DataParallel>(detector, std::vector<int>{0, 1});
  torch::optim::Adam adam(net->parameters(), torch::optim::AdamOptions(0.02));

  double best = 1e9;
  for (int step = 0; step < 5; ++step) {
    auto [x, y] = make_batch(12);
    adam.zero_grad();
    auto loss = torch::nn::functional::cross_entropy(net->forward(x), y.to(device));
    loss.backward();
    adam.step();
    double value = loss.item<double>();
    std::cout << "step " << step << " loss " << value << "\n";
    if (value < best) {
      best = value;
      torch::save(net, path);
    }
  }
}

void deploy(const std::string& path) {
  torch::Device device("cuda:1");
  Detector detector;
  torch::load(detector, path, device); // expect: state-dict-prefix
  detector->to(device);
  detector->eval();

  torch::NoGradGuard no_grad;
  auto [x, y] = make_batch(30);
  auto guess = detector->forward(x.to(device)).argmax(1).cpu();
  std::cout << "accuracy " << guess.eq(y).to(torch::kFloat).mean().item<float>() << "\n";
}

int main() {
  torch::manual_seed(40);
  const std::string path = checkpoint_path();
  train(path);
  deploy(path);
  std::remove(path.c_str());
  return 0;
}
