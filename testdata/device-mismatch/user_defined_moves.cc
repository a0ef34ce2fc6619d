// What `to` means is up to its class: one moves the object, another returns a moved copy.
#include <torch/torch.h>

struct Batch {
  torch::Tensor x, y;
  Batch to(torch::Device device) const { return {x.to(device), y.to(device)}; }
};

struct MovableBatch {
  torch::Tensor x, y;
  void to(torch::Device device) {
    x = x.to(device);
    y = y.to(device);
  }
};

void move_copy(torch::Tensor tensor) { tensor = tensor.to(torch::kCUDA); }
void move_variable(torch::Tensor& tensor) { tensor = tensor.to(torch::kCUDA); }

torch::Tensor operator%(const Batch& a, const Batch& b) {
  return a.x + b.y;  // expect: device-mismatch
}

int main() {
  torch::nn::Linear layer(3, 4);
  layer->to(torch::kCUDA);

  Batch batch{torch::ones({2, 3}), torch::ones({2, 3})};
  batch.to(torch::kCUDA);
  layer->forward(batch.x);  // expect: device-mismatch
  Batch moved = batch.to(torch::kCUDA);
  layer->forward(moved.x);
  torch::Tensor mixed = batch % moved;

  MovableBatch movable{torch::ones({2, 3}), torch::ones({2})};
  movable.to(torch::kCUDA);
  layer->forward(movable.x);

  torch::Tensor x = torch::ones({2, 3});
  move_copy(x);
  layer->forward(x);  // expect: device-mismatch
  move_variable(x);
  layer->forward(x);
}
