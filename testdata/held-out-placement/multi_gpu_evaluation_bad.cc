#include <torch/torch.h>

#include <future>
#include <iostream>
#include <memory>
#include <vector>

// Evaluates a model on all GPUs at once, a part of the data on each.

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override {
    fc1 = register_module("fc1", torch::nn::Linear(10, 20));
    fc2 = register_module("fc2", torch::nn::Linear(20, 3));
  }
  torch::Tensor forward(torch::Tensor x) { return fc2(torch::elu(fc1(x))); }
  torch::nn::Linear fc1{nullptr}, fc2{nullptr};
};

struct Shared {
  torch::Tensor class_weights;
  std::vector<torch::Tensor> inputs;
  std::vector<torch::Tensor> labels;
};

double evaluate(int rank, std::shared_ptr<NetImpl> net, const Shared& shared) {
  torch::NoGradGuard no_grad;
  const torch::Device device(torch::kCUDA, static_cast<torch::DeviceIndex>(rank));
  net->to(device);
  net->eval();
  auto x = shared.inputs[rank].to(device);
  auto y = shared.labels[rank].to(device);
  auto logits = net->forward(x);
  auto options = torch::nn::functional::CrossEntropyFuncOptions().weight(shared.class_weights);
  return torch::nn::functional::cross_entropy(logits, y, options).item<double>(); // expect: device-mismatch
}

int main() {
  torch::manual_seed(15);
  const int workers = 2;
  const torch::Device main_device(torch::kCUDA, 0);

  auto net = std::make_shared<NetImpl>();
  Shared shared;
  shared.class_weights = torch::tensor({0.2f, 0.5f, 0.3f}).to(main_device);
  shared.inputs = torch::randn({40, 10}).chunk(workers);
  shared.labels = torch::randint(3, {40}, torch::kLong).chunk(workers);

  std::vector<std::future<double>> losses;
  for (int rank = 0; rank < workers; ++rank) {
    auto replica = std::dynamic_pointer_cast<NetImpl>(net->clone());
    losses.push_back(std::async(std::launch::async, evaluate, rank, replica, std::cref(shared)));
  }
  double sum = 0;
  for (int rank = 0; rank < workers; ++rank) {
    const double loss = losses[rank].get();
    std::cout << "worker " << rank << ": " << loss << std::endl;
    sum += loss;
  }
  std::cout << "mean " << sum / workers << std::endl;
  return 0;
}
