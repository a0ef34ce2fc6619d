// Of a lambda and of a comma the last value is the result.
#include <torch/torch.h>

#include <functional>

int main() {
  torch::Device device(torch::kCUDA);
  int moves = 0;
  auto move = [&](const torch::Tensor& x) { return ++moves, x.to(device); };
  std::function<torch::Tensor(torch::Tensor)> back = [](torch::Tensor x) { return x.cpu(); };
  torch::Tensor x = torch::rand({4});
  torch::Tensor there = move(x);
  torch::Tensor here = back(there);
  torch::Tensor twice = (moves += 1, here.to(device));
  auto sum = there + twice;
}
