// The same mistake outside a module is the other rule's.
#include <torch/torch.h>

int main() {
  auto x = torch::rand({2, 4}, torch::kCUDA);
  auto y = x + torch::ones({2, 4});  // expect: device-mismatch
}
