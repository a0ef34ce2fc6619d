// One tensor was moved to the second card, the other stayed on the first.
#include <torch/torch.h>

int main() {
  torch::Device first("cuda:0"), second(torch::kCUDA, 1);
  torch::Tensor a = torch::rand({3}).to(first);
  torch::Tensor b = a.to(second);
  torch::Tensor sum = a + b;  // expect: device-mismatch
}
