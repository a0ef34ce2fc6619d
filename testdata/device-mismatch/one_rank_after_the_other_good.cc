// The right forms of one_rank_after_the_other.cc: what meets is on the device of the rank.
#include <torch/torch.h>

#include <thread>
#include <vector>

void run_rank(int rank) {
  torch::Device device(torch::kCUDA, rank);
  torch::nn::Linear net(4, 4);
  net->to(device);
  auto y = net->forward(torch::rand({2, 4}, device));
}

torch::Tensor on_device(torch::Tensor x, int index) {
  return x.to(torch::Device(torch::kCUDA, index));
}

int main() {
  auto x = torch::rand({2, 4}, torch::Device(torch::kCUDA, 0));
  for (int rank = 0; rank < 2; ++rank) run_rank(rank);
  {
    std::vector<torch::Device> devices = {torch::Device(torch::kCUDA, 0),
                                          torch::Device(torch::kCUDA, 1)};
    for (const auto& device : devices) {
      torch::nn::Linear net(4, 4);
      net->to(device);
      auto y = net->forward(x.to(device));
    }
  }
  {
    std::vector<torch::Tensor> parts(2);
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i)
      threads.emplace_back([&parts, &x, i] { parts[i] = on_device(x, i); });
    for (auto& thread : threads) thread.join();
    auto sum = parts[0] + parts[1].to(parts[0].device());
  }
}
