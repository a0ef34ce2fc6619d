// A network on each GPU, the first one kept apart; each gets a batch on its own.
#include <torch/torch.h>

#include <iostream>
#include <vector>

torch::Device gpu(int i) { return torch::Device(torch::kCUDA, static_cast<c10::DeviceIndex>(i)); }

int main() {
  const int count = static_cast<int>(torch::cuda::device_count());
  torch::nn::Linear root(4, 2);
  root->to(gpu(0));
  std::vector<torch::nn::Linear> others;
  for (int i = 1; i < count; ++i) {
    others.emplace_back(torch::nn::Linear(4, 2));
    others.back()->to(gpu(i));
  }
  for (int i = 0; i < count; ++i) {
    auto& net = i == 0 ? root : others[static_cast<size_t>(i - 1)];
    auto batch = torch::rand({3, 4}).to(gpu(i));
    std::cout << net->forward(batch) << "\n";
  }
}
