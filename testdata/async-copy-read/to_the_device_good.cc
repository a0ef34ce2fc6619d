// Copies to a device are ordered with what the device does next.
#include <torch/torch.h>

int main() {
  torch::Tensor batch = torch::ones({8});
  torch::Tensor there = batch.to(torch::kCUDA, /*non_blocking=*/true);
  torch::Tensor sum = there.sum();
  return sum.item<float>() > 0 ? 0 : 1;
}
