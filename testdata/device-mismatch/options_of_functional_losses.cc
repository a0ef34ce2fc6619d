// The weight that a functional loss is given by its options, and what such a loss comes to.
#include <torch/torch.h>

namespace F = torch::nn::functional;

int main() {
  torch::Device device(torch::kCUDA);
  auto logits = torch::rand({4, 3}, device);
  auto labels = torch::tensor({0, 1, 2, 1}).to(device);
  auto weight = torch::tensor({1.0f, 2.0f, 0.5f});
  auto best = torch::tensor(100.0);
  auto loss = torch::cross_entropy_loss(logits, labels);
  for (int i = 0; i < 2; ++i) {
    if ((loss < best).item<bool>()) best = loss.detach().cpu();
  }
  loss = F::cross_entropy(logits, labels, F::CrossEntropyFuncOptions().weight(weight.to(device)));
  loss = F::cross_entropy(  // expect: device-mismatch
      logits, labels, F::CrossEntropyFuncOptions().weight(weight));
  return 0;
}
