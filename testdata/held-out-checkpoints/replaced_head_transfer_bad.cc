#include <torch/torch.h>

#include <iostream>
#include <memory>

namespace nn = torch::nn;

struct Resnetish : nn::Module {
  Resnetish(int64_t num_classes) {
    stem = register_module("stem", nn::Sequential(nn::Conv2d(nn::Conv2dOptions(3, 6, 3).padding(1)), nn::BatchNorm2d(6),
                                                  nn::ReLU(), nn::AdaptiveAvgPool2d(1), nn::Flatten()));
    fc = register_module("fc", nn::Linear(6, num_classes));
  }

  torch::Tensor features(const torch::Tensor& x) { return stem->forward(x); }

  torch::Tensor forward(const torch::Tensor& x) {
    auto f = features(x);
    return fc->forward(f); // expect: device-mismatch
  }

  nn::Sequential stem{nullptr};
  nn::Linear fc{nullptr};
};

std::shared_ptr<Resnetish> pretrained(torch::Device device) {
  auto net = std::make_shared<Resnetish>(100);
  net->to(device);
  net->eval();
  return net;
}

int main() {
  auto device = torch::cuda::is_available() ? torch::Device("cuda") : torch::Device("cpu");
  auto net = pretrained(device);
  {
    torch::NoGradGuard g;
    std::cout << "source classes: " << net->forward(torch::randn({2, 3, 8, 8}, device)).size(1) << "\n";
  }

  // Transfer learning: keep the stem, two classes (ants and bees).
  for (auto& p : net->parameters()) p.set_requires_grad(false);
  net->fc = net->replace_module("fc", nn::Linear(6, 2));

  torch::optim::SGD optimizer(net->fc->parameters(), torch::optim::SGDOptions(0.01).momentum(0.9));
  nn::CrossEntropyLoss criterion;
  for (int epoch = 0; epoch < 3; ++epoch) {
    net->train();
    auto inputs = torch::randn({4, 3, 8, 8}).to(device);
    auto labels = torch::randint(2, {4}, torch::kLong).to(device);
    optimizer.zero_grad();
    auto outputs = net->forward(inputs);
    auto loss = criterion(outputs, labels);
    loss.backward();
    optimizer.step();
    std::cout << "epoch " << epoch << ": " << loss.item<double>() << "\n";
  }
}
