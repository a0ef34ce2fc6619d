// The comparison is in a function, and the program ends itself.
#include <torch/torch.h>

#include <cstdlib>
#include <iostream>

bool together(const torch::Tensor& a, const torch::Tensor& b) { return a.device() == b.device(); }

int main() {
  auto w = torch::rand({4}, torch::kCUDA);
  auto x = torch::rand({4});
  if (!together(x, w)) {  // expect: failed-placement-check
    std::cerr << "the operands are on different devices\n";
    std::abort();
  }
}
