// From one card to another, and back to the host.
#include <torch/torch.h>

int main() {
  torch::Device first("cuda:0"), second(torch::kCUDA, 1);
  torch::Tensor a = torch::rand({3}).to(first);
  torch::Tensor b = a.to(second);
  torch::Tensor c = torch::ones({3}, second);
  torch::Tensor sum = (b + c).cpu() + torch::ones({3});
}
