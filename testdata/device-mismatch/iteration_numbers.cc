// The number of the last iteration tells what is so behind a loop.
#include <torch/torch.h>

int main() {
  const auto host = torch::zeros({3});
  const auto other = torch::zeros({3}, torch::kCUDA);
  const auto gpu = torch::ones({3}, torch::kCUDA);

  torch::Tensor kept;
  for (int i = 0; i < 101; i++) {
    if (i % 2 == 0)
      kept = host;
    else
      kept = other;
  }
  kept + gpu;  // expect: device-mismatch
}
