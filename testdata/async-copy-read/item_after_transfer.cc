// A tensor that is on its way is asked for its number.
#include <torch/torch.h>

int main() {
  torch::Tensor losses = torch::ones({64}, torch::kCUDA);
  torch::Tensor copy = losses.to(torch::kCPU, /*non_blocking=*/true);
  float first = copy.sum().item<float>();  // expect: async-copy-read
  return first > 0 ? 0 : 1;
}
