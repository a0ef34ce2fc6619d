// A loop of two iterations builds the layers, with an activation after all but the last.
#include <torch/torch.h>

int main() {
  torch::nn::Sequential body;
  const int layers = 2;
  for (int i = 0; i < layers; ++i) {
    body->push_back(torch::nn::Linear(4, 4));
    if (i < layers - 1) body->push_back(torch::nn::ReLU());
  }
  body->to(torch::kCUDA);
  torch::Tensor x = torch::randn({3, 4});
  body->forward(x);  // expect: device-mismatch
}
