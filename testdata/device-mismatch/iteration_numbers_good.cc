// What the last iteration does is what is so behind a loop, and the elements that a list takes from
// different iterations differ.
#include <torch/torch.h>

#include <vector>

int main() {
  const auto host = torch::zeros({3});
  const auto other = torch::zeros({3}, torch::kCUDA);
  const auto gpu = torch::ones({3}, torch::kCUDA);

  torch::Tensor kept;
  for (int i = 0; i < 100; i++) {
    if (i % 2 == 0)
      kept = host;
    else
      kept = other;
  }
  kept + gpu;

  for (int i = 0; i < 100; i++) {
    kept = i < 50 ? host : other;
    if (i == 99) kept + gpu;
  }

  std::vector<torch::Tensor> all;
  for (int i = 0; i < 100; i++) {
    if (i < 50)
      all.push_back(host);
    else
      all.push_back(other);
  }
  for (int j = 50; j < 100; j++) all[j] + gpu;
}
