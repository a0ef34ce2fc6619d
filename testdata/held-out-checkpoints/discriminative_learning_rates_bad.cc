#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "runtime/torch/data_parallel.h"

namespace {

// Discriminative learning rates: small for the features, large for the classifier.

struct VggLike : torch::nn::Cloneable<VggLike> {
  explicit VggLike(int64_t classes = 5) : classes(classes) { reset(); }

  void reset() override {
    features = register_module(
        "features", torch::nn::Sequential(torch::nn::Conv2d(torch::nn::Conv2dOptions(3, 4, 3).padding(1)),
                                          torch::nn::ReLU(), torch::nn::MaxPool2d(2)));
    classifier = register_module("classifier", torch::nn::Sequential(torch::nn::Flatten(), torch::nn::Linear(64, classes)));
  }

  torch::Tensor forward(torch::Tensor x) { return classifier->forward(features->forward(x)); }

  int64_t classes;
  torch::nn::Sequential features{nullptr}, classifier{nullptr};
};

std::unique_ptr<torch::optim::SGD> make_optimizer(const torch::nn::Module& model, double lr) {
  auto parts = model.named_children();
  std::vector<torch::optim::OptimizerParamGroup> groups;
  groups.emplace_back(parts["features"]->parameters(), std::make_unique<torch::optim::SGDOptions>(lr / 10)); // expect: state-dict-prefix
  groups.emplace_back(parts["classifier"]->parameters(), std::make_unique<torch::optim::SGDOptions>(lr)); // expect: state-dict-prefix
  return std::make_unique<torch::optim::SGD>(groups, torch::optim::SGDOptions(lr));
}

template <typename Model>
void train(Model& model, torch::optim::Optimizer& optimizer, int steps) {
  const torch::Device device("cuda:0");
  for (int i = 0; i < steps; ++i) {
    auto images = torch::rand({4, 3, 8, 8}, device);
    auto labels = torch::randint(0, 5, {4}, torch::kLong).to(device);
    optimizer.zero_grad();
    auto loss = torch::nn::functional::cross_entropy(model.forward(images), labels);
    loss.backward();
    optimizer.step();
    std::cout << "  loss " << loss.template item<float>() << std::endl;
  }
}

}  // namespace

int main() {
  torch::manual_seed(37);
  auto net = std::make_shared<VggLike>();
  net->to(torch::Device("cuda:0"));

  std::cout << "one GPU" << std::endl;
  auto single = make_optimizer(*net, 0.05);
  train(*net, *single, 2);

  std::cout << "two GPUs" << std::endl;
  placecheck::parallel::DataParallel parallel(net, {0, 1});
  auto multi = make_optimizer(parallel, 0.05);
  train(parallel, *multi, 2);
  return 0;
}
