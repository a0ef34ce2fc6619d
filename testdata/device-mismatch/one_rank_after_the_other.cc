// What each rank, task or device of a list does is done on its own device.
#include <torch/torch.h>

#include <thread>
#include <vector>

torch::Tensor shared_batch() { return torch::rand({2, 4}, torch::Device(torch::kCUDA, 0)); }

void run_rank(int rank) {
  torch::Device device(torch::kCUDA, rank);
  torch::nn::Linear net(4, 4);
  net->to(device);
  auto y = net->forward(shared_batch());  // expect: device-mismatch
}

torch::Tensor on_device(torch::Tensor x, int index) {
  return x.to(torch::Device(torch::kCUDA, index));
}

int main() {
  auto x = shared_batch();
  for (int rank = 0; rank < 2; ++rank) run_rank(rank);
  {
    std::vector<torch::Device> devices = {torch::Device(torch::kCUDA, 0),
                                          torch::Device(torch::kCUDA, 1)};
    for (const auto& device : devices) {
      torch::nn::Linear net(4, 4);
      net->to(device);
      auto y = net->forward(x);  // expect: device-mismatch
    }
  }
  {
    std::vector<torch::Tensor> parts(2);
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i)
      threads.emplace_back([&parts, &x, i] { parts[i] = on_device(x, i); });
    for (auto& thread : threads) thread.join();
    auto sum = parts[0] + parts[1];  // expect: device-mismatch
  }
}
