#include <torch/torch.h>

#include <functional>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "runtime/torch/data_parallel.h"

// Every combination of training and continuing on one or two GPUs. Checkpoints always hold the
// bare network, so that they do not depend on how it was trained.

using placecheck::parallel::DataParallel;

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override {
    lin1 = register_module("lin1", torch::nn::Linear(6, 10));
    bn = register_module("bn", torch::nn::BatchNorm1d(10));
    lin2 = register_module("lin2", torch::nn::Linear(10, 3));
  }
  torch::Tensor forward(torch::Tensor x) { return lin2(torch::relu(bn(lin1(x)))); }
  torch::nn::Linear lin1{nullptr}, lin2{nullptr};
  torch::nn::BatchNorm1d bn{nullptr};
};
TORCH_MODULE(Net);

struct Setup {
  std::string name;
  std::vector<int> gpus;
};

torch::Device main_device(const Setup& setup) { return torch::Device(torch::kCUDA, setup.gpus.front()); }

float train(torch::nn::Module& owner, const std::function<torch::Tensor(torch::Tensor)>& forward, torch::Device device) {
  owner.train();
  torch::optim::SGD sgd(owner.parameters(), 0.05);
  float value = 0;
  for (int i = 0; i < 2; ++i) {
    auto x = torch::randn({8, 6}, device);
    auto y = torch::randint(0, 3, {8}, torch::kLong).to(device);
    auto loss = torch::nn::functional::cross_entropy(forward(x), y);
    sgd.zero_grad();
    loss.backward();
    sgd.step();
    value = loss.item<float>();
  }
  return value;
}

float run(Net& net, const Setup& setup) {
  const auto device = main_device(setup);
  if (setup.gpus.size() == 1) {
    net->to(device);
    return train(*net, [&](torch::Tensor x) { return net(x); }, device);
  }
  DataParallel parallel(net, setup.gpus);
  parallel.to(device);
  return train(parallel, [&](torch::Tensor x) { return parallel.forward(x); }, device);
}

void save(Net& net, const Setup& setup, std::ostream& out) {
  if (setup.gpus.size() == 1) {
    torch::save(net, out);
  } else {
    DataParallel parallel(net, setup.gpus);
    torch::save(parallel.module(), out);
  }
}

int main() {
  const std::vector<Setup> setups{{"gpu 0", {0}}, {"gpu 1", {1}}, {"gpus 0 and 1", {0, 1}}, {"gpus 1 and 0", {1, 0}}};
  for (const Setup& from : setups) {
    for (const Setup& to : setups) {
      std::stringstream file;
      Net net;
      run(net, from);
      save(net, from, file);
      Net next;
      torch::load(next, file, main_device(to));
      std::cout << from.name << " -> " << to.name << ": " << run(next, to) << "\n";
    }
  }
}
