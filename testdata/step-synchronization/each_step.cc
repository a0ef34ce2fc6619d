// rule: step-synchronization
// The loss is read in each step.
#include <torch/torch.h>

#include <iostream>

int main() {
  torch::nn::Linear model(4, 2);
  model->to(torch::kCUDA);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto x = torch::randn({8, 4}, torch::kCUDA);
  auto y = torch::randn({8, 2}, torch::kCUDA);
  double total = 0;
  for (int i = 0; i < 20; ++i) {
    optimizer.zero_grad();
    auto loss = torch::mse_loss(model->forward(x), y);
    loss.backward();
    optimizer.step();
    total += loss.item<double>();  // expect: step-synchronization
    if (i % 10 == 0) std::cout << loss.item<float>() << '\n';
  }
  std::cout << total << '\n';
}
