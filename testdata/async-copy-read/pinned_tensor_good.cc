// A copy into memory that is not pinned is finished when it returns; the other one is waited for.
#include <torch/torch.h>

#include <iostream>

int main() {
  torch::Tensor counts = torch::ones({4}, torch::kCUDA);
  torch::Tensor pageable = torch::empty({4});
  pageable.copy_(counts, /*non_blocking=*/true);
  std::cout << pageable.sum().item<float>() << '\n';
  torch::Tensor pinned = torch::empty({4}, torch::TensorOptions().pinned_memory(true));
  pinned.copy_(counts, /*non_blocking=*/true);
  torch::cuda::synchronize();
  std::cout << pinned.sum().item<float>() << '\n';
}
