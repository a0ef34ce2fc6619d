// The user's own choice is left alone: how many cards there are is not known then.
#include <torch/torch.h>

#include <cstdlib>

int main() {
  setenv("CUDA_VISIBLE_DEVICES", "0", 0);
  auto x = torch::rand({2}, torch::Device("cuda:3"));
  if (torch::cuda::device_count() > 1) x = x.to(torch::Device("cuda:1"));
}
