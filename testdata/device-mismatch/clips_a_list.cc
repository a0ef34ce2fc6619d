// The gradients that are clipped together are on two GPUs.
#include <torch/torch.h>

int main() {
  torch::Device first("cuda:0"), second("cuda:1");
  torch::nn::Linear a(3, 6), b(6, 1);
  a->to(first);
  b->to(second);
  std::vector<torch::Tensor> parameters = {a->weight, a->bias, b->weight, b->bias};
  b(a(torch::rand({4, 3}, first)).to(second)).sum().backward();
  torch::nn::utils::clip_grad_norm_(parameters, 1.0);  // expect: device-mismatch
}
