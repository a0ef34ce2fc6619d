// Asking an optional whether it holds something does not change what it holds.
#include <torch/torch.h>

#include <optional>

torch::Tensor attend(torch::Tensor scores, const std::optional<torch::Tensor>& mask) {
  if (mask.has_value())
    scores = scores.masked_fill(mask->unsqueeze(1), -1e9);  // expect: device-mismatch
  return torch::softmax(scores, -1);
}

int main() {
  torch::Device device(torch::kCUDA);
  auto scores = torch::rand({2, 3, 3}, device);
  attend(scores, std::nullopt);
  std::optional<torch::Tensor> mask = torch::zeros({2, 3}, torch::kBool).to(device);
  attend(scores, mask);
  mask = torch::zeros({2, 3}, torch::kBool);
  attend(scores, mask);
  return 0;
}
