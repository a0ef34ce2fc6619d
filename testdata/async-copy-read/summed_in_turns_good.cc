// Each turn waits for the copy that the one before has started, and reads it while the next one is
// under way.
#include <torch/torch.h>

#include <iostream>

int main() {
  torch::Device device(torch::kCUDA);
  double total = 0;
  torch::Tensor before = torch::zeros({5});
  for (int i = 0; i < 10; ++i) {
    auto now = torch::randn({5}, device).to(torch::kCPU, /*non_blocking=*/true);
    total += before.sum().item<float>();
    torch::cuda::synchronize();
    before = now;
  }
  total += before.sum().item<float>();
  std::cout << total << "\n";
}
