#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <thread>
#include <vector>

// Data parallelism by hand: one replica per GPU, gradients averaged on the first.
struct Net : torch::nn::Cloneable<Net> {
  void reset() override {
    a = register_module("a", torch::nn::Linear(7, 14));
    b = register_module("b", torch::nn::Linear(14, 1));
  }
  Net() { reset(); }
  torch::Tensor forward(torch::Tensor x) { return b->forward(torch::tanh(a->forward(x))); }
  torch::nn::Linear a{nullptr}, b{nullptr};
};

using Replicas = std::vector<std::shared_ptr<Net>>;

Replicas replicate(const std::shared_ptr<Net>& net, const std::vector<torch::Device>& devices) {
  Replicas replicas;
  for (const auto& device : devices) {
    replicas.push_back(std::dynamic_pointer_cast<Net>(net->clone(device)));
  }
  return replicas;
}

void broadcast(Replicas& replicas) {
  torch::NoGradGuard no_grad;
  auto source = replicas.front()->parameters();
  for (size_t r = 1; r < replicas.size(); ++r) {
    auto target = replicas[r]->parameters();
    for (size_t i = 0; i < source.size(); ++i) target[i].copy_(source[i]);
  }
}

void average_gradients(Replicas& replicas) {
  torch::NoGradGuard no_grad;
  auto main_params = replicas.front()->parameters();
  for (size_t i = 0; i < main_params.size(); ++i) {
    torch::Tensor sum = main_params[i].grad().clone();
    for (size_t r = 1; r < replicas.size(); ++r) {
      sum += replicas[r]->parameters()[i].grad(); // expect: device-mismatch
    }
    main_params[i].mutable_grad() = sum / static_cast<double>(replicas.size());
  }
}

int main() {
  torch::manual_seed(21);
  std::vector<torch::Device> devices;
  for (int i = 0; i < 2; ++i) devices.emplace_back(torch::kCUDA, i);

  auto net = std::make_shared<Net>();
  Replicas replicas = replicate(net, devices);
  torch::optim::SGD sgd(replicas.front()->parameters(), torch::optim::SGDOptions(0.1));

  auto inputs = torch::randn({24, 7});
  auto targets = inputs.sum(1, true).sin();

  for (int step = 0; step < 5; ++step) {
    auto x = inputs.chunk(devices.size());
    auto y = targets.chunk(devices.size());
    std::vector<double> losses(devices.size());
    std::vector<std::thread> workers;
    for (size_t r = 0; r < devices.size(); ++r) {
      workers.emplace_back([&, r] {
        replicas[r]->zero_grad();
        auto prediction = replicas[r]->forward(x[r].to(devices[r]));
        auto loss = torch::mse_loss(prediction, y[r].to(devices[r]));
        loss.backward();
        losses[r] = loss.item<double>();
      });
    }
    for (auto& worker : workers) worker.join();

    average_gradients(replicas);
    sgd.step();
    broadcast(replicas);
    std::cout << step << ": " << (losses[0] + losses[1]) / 2 << std::endl;
  }
  return 0;
}
