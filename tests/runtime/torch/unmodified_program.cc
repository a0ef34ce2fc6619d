// A libtorch program as its author left it; preload_test runs it.
#include <torch/torch.h>

#include <cstdlib>
#include <iostream>

int main() {
  std::cout << static_cast<int>(torch::cuda::device_count()) << " devices" << std::endl;
  const torch::Device device(torch::cuda::is_available() ? "cuda:1" : "cpu");
  torch::nn::Sequential net(torch::nn::Linear(4, 8), torch::nn::ReLU(), torch::nn::Linear(8, 3));
  net->to(device);
  torch::optim::Adam optimizer(net->parameters(), 1e-2);
  const torch::Tensor x = torch::randn({6, 4}).to(device);
  torch::Tensor y = torch::randint(0, 3, {6});
  if (std::getenv("FORGET_LABELS") == nullptr) y = y.to(device);
  for (int step = 0; step < 5; ++step) {
    optimizer.zero_grad();
    torch::Tensor loss = torch::nn::functional::cross_entropy(net->forward(x), y);
    loss.backward();
    optimizer.step();
  }
  std::cout << "trained on " << net->parameters()[0].device() << std::endl;
}
