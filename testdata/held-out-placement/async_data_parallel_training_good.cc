#include <torch/torch.h>

#include <future>
#include <iostream>
#include <memory>
#include <vector>

// Synchronous data parallel training by hand: replicas in std::async, gradients added on GPU 0.

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override {
    layers = register_module(
        "layers", torch::nn::Sequential(torch::nn::Linear(5, 16), torch::nn::ELU(), torch::nn::Linear(16, 1)));
    offset = register_buffer("offset", torch::full({1}, 0.25));
  }
  torch::Tensor forward(const torch::Tensor& x) { return layers->forward(x) + offset; }
  torch::nn::Sequential layers{nullptr};
  torch::Tensor offset;
};

using Gradients = std::vector<torch::Tensor>;

struct WorkerResult {
  Gradients gradients;
  double loss;
};

WorkerResult work(std::shared_ptr<NetImpl> replica, torch::Tensor x, torch::Tensor y,
                  torch::Device device) {
  auto loss = torch::mse_loss(replica->forward(x.to(device)), y.to(device));
  loss.backward();
  WorkerResult result{{}, loss.item<double>()};
  for (const auto& p : replica->parameters()) result.gradients.push_back(p.grad());
  return result;
}

int main() {
  torch::manual_seed(88);
  std::vector<torch::Device> devices;
  for (int i = 0; i < 2; ++i) devices.emplace_back(torch::kCUDA, static_cast<torch::DeviceIndex>(i));

  auto master = std::make_shared<NetImpl>();
  master->to(devices[0]);
  torch::optim::SGD optimizer(master->parameters(), torch::optim::SGDOptions(0.05).momentum(0.9));

  for (int step = 0; step < 6; ++step) {
    auto x = torch::randn({20, 5});
    auto y = x.pow(2).mean(1, true);
    auto xs = x.chunk(devices.size()), ys = y.chunk(devices.size());

    std::vector<std::future<WorkerResult>> futures;
    for (size_t i = 0; i < devices.size(); ++i) {
      auto replica = std::dynamic_pointer_cast<NetImpl>(master->clone(devices[i]));
      futures.push_back(std::async(std::launch::async, work, replica, xs[i], ys[i], devices[i]));
    }

    optimizer.zero_grad();
    auto parameters = master->parameters();
    double loss = 0;
    for (auto& future : futures) {
      auto result = future.get();
      loss += result.loss / devices.size();
      for (size_t k = 0; k < parameters.size(); ++k) {
        auto part = result.gradients[k].to(parameters[k].device()) / static_cast<double>(devices.size());
        auto& grad = parameters[k].mutable_grad();
        if (grad.defined()) grad += part;
        else grad = part;
      }
    }
    optimizer.step();
    std::cout << "step " << step << " loss " << loss << std::endl;
  }
  return 0;
}
