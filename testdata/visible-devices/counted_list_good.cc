// One visible card: the branch for several is not taken.
#include <torch/torch.h>

#include <cstdlib>

int main() {
  setenv("CUDA_VISIBLE_DEVICES", "3", 1);
  torch::nn::Linear net(2, 2);
  net->to(torch::Device("cuda:0"));
  if (torch::cuda::device_count() > 1) net->to(torch::Device("cuda:1"));
}
