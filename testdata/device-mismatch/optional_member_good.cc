// Weights that a batch may have are moved with it where there are any.
#include <torch/torch.h>

#include <iostream>
#include <optional>

struct Batch {
  torch::Tensor input;
  std::optional<torch::Tensor> weight;

  void move(const torch::Device& device) {
    input = input.to(device);
    if (weight) weight = weight->to(device);
  }
};

Batch read(int i) {
  Batch batch;
  batch.input = torch::rand({3, 2});
  if (i % 2 == 0) batch.weight = torch::rand({3, 1});
  return batch;
}

torch::Tensor weighted(const Batch& batch) {
  return batch.weight ? batch.input * *batch.weight : batch.input;
}

int main() {
  for (int i = 1; i < 3; ++i) {
    Batch batch = read(i);
    batch.move(torch::Device(torch::kCUDA, 0));
    std::cout << weighted(batch) << "\n";
  }
}
