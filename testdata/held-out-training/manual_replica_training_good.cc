#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <thread>
#include <vector>

// Data parallelism by hand: a replica a GPU, a thread a replica, gradients averaged on the first.

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override {
    fc1 = register_module("fc1", torch::nn::Linear(6, 12));
    bn = register_module("bn", torch::nn::BatchNorm1d(12));
    fc2 = register_module("fc2", torch::nn::Linear(12, 2));
  }
  torch::Tensor forward(torch::Tensor x) { return fc2(torch::relu(bn(fc1(x)))); }
  torch::nn::Linear fc1{nullptr}, fc2{nullptr};
  torch::nn::BatchNorm1d bn{nullptr};
};

using Replica = std::shared_ptr<NetImpl>;

void broadcast(const NetImpl& from, NetImpl& to) {
  torch::NoGradGuard guard;
  auto source = from.named_parameters();
  for (auto& item : to.named_parameters()) item.value().copy_(source[item.key()]);
  auto buffers = from.named_buffers();
  for (auto& item : to.named_buffers()) item.value().copy_(buffers[item.key()]);
}

void average_gradients(const std::vector<Replica>& replicas) {
  torch::NoGradGuard guard;
  auto main = replicas[0]->parameters();
  for (size_t p = 0; p < main.size(); ++p) {
    torch::Tensor grad = main[p].grad();
    for (size_t r = 1; r < replicas.size(); ++r) {
      grad.add_(replicas[r]->parameters()[p].grad().to(grad.device()));
    }
    grad.div_(static_cast<double>(replicas.size()));
  }
}

int main() {
  torch::manual_seed(2);
  std::vector<torch::Device> devices;
  for (int i = 0; i < 2; ++i) devices.emplace_back(torch::kCUDA, i);

  std::vector<Replica> replicas;
  replicas.push_back(std::make_shared<NetImpl>());
  replicas[0]->to(devices[0]);
  for (size_t i = 1; i < devices.size(); ++i) {
    replicas.push_back(std::dynamic_pointer_cast<NetImpl>(replicas[0]->clone(devices[i])));
  }
  torch::optim::SGD optimizer(replicas[0]->parameters(), 0.1);

  auto data = torch::randn({24, 6});
  auto target = data.select(1, 0).gt(0).to(torch::kLong);

  for (int step = 0; step < 4; ++step) {
    auto inputs = data.chunk(devices.size());
    auto targets = target.chunk(devices.size());
    std::vector<double> losses(devices.size());
    std::vector<std::thread> threads;
    for (size_t i = 0; i < devices.size(); ++i) {
      threads.emplace_back([&, i] {
        replicas[i]->zero_grad();
        auto output = replicas[i]->forward(inputs[i].to(devices[i]));
        auto loss = torch::nn::functional::cross_entropy(output, targets[i].to(devices[i]));
        loss.backward();
        losses[i] = loss.item<double>();
      });
    }
    for (auto& thread : threads) thread.join();
    average_gradients(replicas);
    optimizer.step();
    for (size_t i = 1; i < replicas.size(); ++i) broadcast(*replicas[0], *replicas[i]);
    std::cout << "step " << step << " " << losses[0] << " " << losses[1] << "\n";
  }
}
