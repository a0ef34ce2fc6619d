// Without --devices a machine may have any number of cards.
#include <torch/torch.h>

int main() {
  torch::nn::Linear net(2, 2);
  net->to(torch::Device("cuda:7"));
  auto x = torch::rand({2}, torch::Device(torch::kCUDA, 3));
}
