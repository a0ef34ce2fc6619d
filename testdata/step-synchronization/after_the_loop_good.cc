// rule: step-synchronization
// The sum is read after the loop.
#include <torch/torch.h>

#include <iostream>

int main() {
  torch::nn::Linear model(4, 2);
  model->to(torch::kCUDA);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto x = torch::randn({8, 4}, torch::kCUDA);
  auto y = torch::randn({8, 2}, torch::kCUDA);
  auto total = torch::zeros({}, torch::kCUDA);
  for (int i = 0; i < 20; ++i) {
    optimizer.zero_grad();
    auto loss = torch::mse_loss(model->forward(x), y);
    loss.backward();
    optimizer.step();
    total += loss.detach();
  }
  std::cout << total.item<double>() << '\n';
}
