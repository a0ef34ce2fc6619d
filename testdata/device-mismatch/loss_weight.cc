// The weight of a loss module is a buffer: it moves with the loss, and only with it.
#include <torch/torch.h>

int main() {
  torch::Device device(torch::kCUDA);
  auto logits = torch::rand({4, 3}, device);
  auto labels = torch::tensor({0, 1, 2, 1}).to(device);
  auto weight = torch::tensor({1.0f, 2.0f, 0.5f});

  torch::nn::CrossEntropyLoss plain;
  auto loss = plain(logits, labels);

  torch::nn::CrossEntropyLoss moved(torch::nn::CrossEntropyLossOptions().weight(weight));
  moved->to(device);
  loss = moved(logits, labels);

  torch::nn::CrossEntropyLoss made(
      torch::nn::CrossEntropyLossOptions().weight(weight.to(device)));
  loss = made(logits, labels);

  torch::nn::CrossEntropyLoss left(torch::nn::CrossEntropyLossOptions().weight(weight));
  loss = left(logits, labels);  // expect: device-mismatch
  return 0;
}
