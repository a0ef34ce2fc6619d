// The flag stands behind a type; the wait comes too late.
#include <torch/cuda.h>
#include <torch/torch.h>

int main() {
  torch::Tensor scores = torch::ones({8}, torch::kCUDA);
  torch::Tensor host = scores.to(torch::kCPU, torch::kDouble, true);
  bool same = torch::equal(host, torch::ones({8}, torch::kDouble));  // expect: async-copy-read
  torch::cuda::synchronize();
  return same ? 0 : 1;
}
