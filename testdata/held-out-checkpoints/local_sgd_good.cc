#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <thread>
#include <vector>

// Local SGD: each GPU trains its own copy for a few steps, then the weights are averaged.

using Net = std::shared_ptr<torch::nn::SequentialImpl>;

Net make_net() {
  return std::make_shared<torch::nn::SequentialImpl>(
      torch::nn::Linear(5, 10), torch::nn::Tanh(), torch::nn::Linear(10, 1));
}

void copy_weights(const Net& from, const Net& to) {
  torch::NoGradGuard no_grad;
  auto source = from->named_parameters();
  for (auto& item : to->named_parameters()) {
    item.value().copy_(source[item.key()]);
  }
}

void average_into(const Net& target, const std::vector<Net>& workers) {
  torch::NoGradGuard no_grad;
  auto parameters = target->parameters();
  for (size_t i = 0; i < parameters.size(); ++i) {
    auto sum = torch::zeros_like(parameters[i]);
    for (const auto& worker : workers) {
      sum += worker->parameters()[i].to(sum.device());
    }
    parameters[i].copy_(sum / static_cast<double>(workers.size()));
  }
}

void local_steps(const Net& net, torch::Device device, int steps) {
  torch::optim::SGD optimizer(net->parameters(), torch::optim::SGDOptions(0.05));
  for (int i = 0; i < steps; ++i) {
    auto x = torch::randn({16, 5}, device);
    auto y = x.narrow(1, 0, 2).sum(1, true);
    optimizer.zero_grad();
    torch::mse_loss(net->forward(x), y).backward();
    optimizer.step();
  }
}

int main() {
  torch::manual_seed(3);
  Net center = make_net();  // stays on the CPU

  std::vector<torch::Device> devices;
  for (int i = 0; i < 2; ++i) devices.emplace_back(torch::kCUDA, i);

  std::vector<Net> workers;
  for (const auto& device : devices) {
    workers.push_back(make_net());
    workers.back()->to(device);
  }

  for (int round = 0; round < 3; ++round) {
    for (auto& worker : workers) copy_weights(center, worker);
    std::vector<std::thread> threads;
    for (size_t w = 0; w < workers.size(); ++w) {
      threads.emplace_back(local_steps, workers[w], devices[w], 4);
    }
    for (auto& thread : threads) thread.join();
    average_into(center, workers);

    auto x = torch::randn({50, 5});
    auto error = torch::mse_loss(center->forward(x), x.narrow(1, 0, 2).sum(1, true));
    std::cout << "round " << round << " error " << error.item<float>() << "\n";
  }
  return 0;
}
