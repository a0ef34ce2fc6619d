// Transfers in lists of expressions, and assignments that a macro writes.
#include <torch/torch.h>

#define TO_DEVICE(t) (t) = (t).to(device)

int main() {
  torch::Device device(torch::kCUDA);
  auto x = torch::rand({3}), y = torch::rand({3}), z = torch::rand({3});
  x = x.to(device), y.to(device);  // expect: discarded-transfer
  TO_DEVICE(z);
  auto sum = x + z;
  return 0;
}
