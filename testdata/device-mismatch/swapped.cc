// std::swap and std::exchange: each variable has what the other had.
#include <torch/torch.h>

#include <utility>

int main() {
  torch::nn::Linear layer(3, 4);
  layer->to(torch::kCUDA);
  torch::Tensor first = torch::ones({2, 3});
  torch::Tensor second = torch::ones({2, 3}).cuda();
  std::swap(first, second);
  layer->forward(first);
  layer->forward(second);  // expect: device-mismatch

  torch::Tensor before = std::exchange(first, torch::zeros({2, 3}));
  layer->forward(before);
  layer->forward(first);  // expect: device-mismatch
}
