// Nothing is known of the caller: CUDA may be running, or not.
#include <torch/torch.h>

#include <cstdlib>

void use_cards() {
  setenv("CUDA_VISIBLE_DEVICES", "2,3", 1);
  auto x = torch::rand({2}, torch::Device("cuda:2"));
}
