// TensorOptions are values: each call makes another one.
#include <torch/torch.h>

int main() {
  auto base = torch::TensorOptions().dtype(torch::kFloat32);
  auto on_card = base.device(torch::kCUDA, 0).requires_grad(true);
  auto x = torch::rand({4}, on_card);
  auto y = torch::rand({4}, base.device(torch::Device("cuda:0")));
  auto z = torch::zeros({4}, torch::dtype(torch::kFloat32).device(torch::kCUDA));
  auto w = torch::ones({4}, torch::device(torch::kCUDA).dtype(torch::kFloat));
  auto v = torch::rand({4}).to(x.options());
  auto good = x + y + z + w + v;
  auto bad = x * torch::rand({4}, base);  // expect: device-mismatch
  return 0;
}
