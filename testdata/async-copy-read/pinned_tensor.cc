// A copy into pinned memory that the caller does not wait for, and the number read from it.
#include <torch/torch.h>

#include <iostream>

int main() {
  torch::Tensor counts = torch::ones({4}, torch::kCUDA);
  torch::Tensor on_host = torch::empty({4}, torch::TensorOptions().pinned_memory(true));
  on_host.copy_(counts, /*non_blocking=*/true);
  std::cout << on_host.sum().item<float>() << '\n';  // expect: async-copy-read
}
