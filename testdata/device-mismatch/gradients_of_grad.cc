// The gradient that autograd::grad() starts from is on the CPU, the output on a GPU.
#include <torch/torch.h>

#include <iostream>

torch::Tensor derivative(const torch::Tensor& of, const torch::Tensor& by, torch::Tensor seed) {
  return torch::autograd::grad({of}, {by}, {seed}, true)[0];  // expect: device-mismatch
}

int main() {
  torch::Tensor x =
      torch::rand({4, 1}, torch::TensorOptions().device(torch::kCUDA).requires_grad(true));
  torch::Tensor y = x.pow(2);
  std::cout << derivative(y, x, torch::ones_like(y)) << "\n";
  std::cout << derivative(y, x, torch::ones(y.sizes(), y.dtype())) << "\n";
}
