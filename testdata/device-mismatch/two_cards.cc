// Two cards in one program: what is moved between them, and what is not.
#include <torch/torch.h>

int main() {
  torch::Device first("cuda:0"), second(torch::kCUDA, 1);
  torch::nn::Linear lower(4, 8), upper(8, 2);
  lower->to(first);
  upper->to(second);
  auto x = torch::rand({3, 4}, first);
  auto hidden = torch::relu(lower(x));
  auto good = upper(hidden.to(second));
  auto back = good.to(first) + lower(x).sum();
  auto bad = upper(hidden);  // expect: device-mismatch
  return 0;
}
