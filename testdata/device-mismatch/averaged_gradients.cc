// The gradients of two replicas are averaged without moving them to one GPU.
#include <torch/torch.h>

#include <iostream>
#include <vector>

int main() {
  std::vector<torch::nn::Linear> replicas;
  for (int gpu = 0; gpu < static_cast<int>(torch::cuda::device_count()); ++gpu) {
    replicas.emplace_back(4, 2);
    replicas.back()->to(torch::Device(torch::kCUDA, gpu));
    torch::Tensor x = torch::rand({3, 4}, torch::Device(torch::kCUDA, gpu));
    replicas.back()->forward(x).sum().backward();
  }
  std::vector<std::vector<torch::Tensor>> parameters;
  for (auto& replica : replicas) parameters.push_back(replica->parameters());
  torch::NoGradGuard no_grad;
  for (size_t i = 0; i < parameters[0].size(); ++i) {
    torch::Tensor total = torch::zeros_like(parameters[0][i].grad());
    for (auto& replica : parameters) total.add_(replica[i].grad().to(total.device()));
    std::cout << total << "\n";
  }
  for (size_t i = 0; i < parameters[0].size(); ++i) {
    torch::Tensor total = torch::zeros_like(parameters[0][i].grad());
    for (auto& replica : parameters) total.add_(replica[i].grad());  // expect: device-mismatch
    std::cout << total << "\n";
  }
}
