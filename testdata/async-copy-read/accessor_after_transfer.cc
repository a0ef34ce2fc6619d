// Elements are read by the language itself.
#include <torch/torch.h>

float first_of(const torch::Tensor& scores) {
  torch::Tensor host = scores.to(torch::TensorOptions().device(torch::kCPU), true);
  auto rows = host.accessor<float, 1>();
  return rows[0];  // expect: async-copy-read
}

int main() {
  torch::Tensor scores = torch::ones({8}, torch::kCUDA);
  return first_of(scores) >= 0 ? 0 : 1;
}
