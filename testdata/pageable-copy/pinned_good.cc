// rule: pageable-copy
// What is copied is pinned, or waited for.
#include <torch/torch.h>

int main() {
  auto x = torch::randn({8, 4}, torch::TensorOptions().pinned_memory(true));
  auto y = x.to(torch::Device(torch::kCUDA, 0), /*non_blocking=*/true);
  auto z = torch::randn({8, 4}).pin_memory().to(torch::kCUDA, /*non_blocking=*/true);
  auto w = torch::randn({8, 4}).to(torch::kCUDA);
  return y.is_cuda() && z.is_cuda() && w.is_cuda() ? 0 : 1;
}
