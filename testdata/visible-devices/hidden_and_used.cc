// Hidden on purpose, and used all the same.
#include <torch/torch.h>

#include <cstdlib>

int main() {
  setenv("CUDA_VISIBLE_DEVICES", "-1", 1);
  torch::nn::Linear net(2, 2);
  net->to(torch::kCUDA);  // expect: visible-devices
}
