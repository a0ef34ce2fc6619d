// Accessors read a tensor's memory where the program runs: on the host.
#include <torch/torch.h>

namespace {

float total_of(const torch::Tensor& values) {
  auto elements = values.accessor<float, 1>();
  float total = 0;
  for (int64_t i = 0; i < elements.size(0); ++i) {
    total += elements[i];  // expect: cuda-pointer-placement
  }
  return total;
}

float total_of_copy(const torch::Tensor& values) {
  torch::Tensor host = values.to(torch::kCPU);
  auto elements = host.accessor<float, 1>();
  float total = 0;
  for (int64_t i = 0; i < elements.size(0); ++i) total += elements[i];
  return total;
}

}  // namespace

int main() {
  auto card = torch::rand({4}, torch::kCUDA);
  float total = total_of_copy(card) + total_of(card.cpu());
  total += total_of(card);
  return total > 0 ? 0 : 1;
}
