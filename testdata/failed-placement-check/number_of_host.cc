// The CPU has the number -1.
#include <torch/torch.h>

#include <stdexcept>

int main() {
  auto x = torch::rand({4});
  x.to(torch::kCUDA);          // expect: discarded-transfer
  if (x.get_device() == -1) {  // expect: failed-placement-check
    throw std::runtime_error("x is still on the CPU");
  }
}
