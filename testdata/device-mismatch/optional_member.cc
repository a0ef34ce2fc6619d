// Weights that a batch may have stay behind where it is moved.
#include <torch/torch.h>

#include <iostream>
#include <optional>

struct Batch {
  torch::Tensor input;
  std::optional<torch::Tensor> weight;

  void move(const torch::Device& device) { input = input.to(device); }
};

Batch read(int i) {
  Batch batch;
  batch.input = torch::rand({3, 2});
  if (i % 2 == 0) batch.weight = torch::rand({3, 1});
  return batch;
}

torch::Tensor weighted(const Batch& batch) {
  return batch.weight ? batch.input * *batch.weight : batch.input;  // expect: device-mismatch
}

int main() {
  for (int i = 1; i < 3; ++i) {
    Batch batch = read(i);
    batch.move(torch::Device(torch::kCUDA, 0));
    std::cout << weighted(batch) << "\n";
  }
}
