// Adam makes its state at the first step that has gradients.
#include <torch/torch.h>

int main() {
  torch::nn::Linear net(8, 2);
  torch::optim::Adam adam(net->parameters(), 1e-3);
  adam.step();
  net->to(torch::kCUDA);
  auto input = torch::rand({4, 8}, torch::kCUDA);
  net->forward(input).sum().backward();
  adam.step();
  net->forward(input).sum().backward();
  adam.step();
}
