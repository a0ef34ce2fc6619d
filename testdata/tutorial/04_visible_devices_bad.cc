// The list comes too late, and the cards are called by the numbers that they no longer have.
#include <torch/torch.h>

#include <cstdlib>

void too_late() {
  auto x = torch::rand({2}, torch::kCUDA);
  setenv("CUDA_VISIBLE_DEVICES", "1", 1);  // expect: visible-devices
}

void by_the_old_number() {
  setenv("CUDA_VISIBLE_DEVICES", "2,3", 1);
  torch::nn::Linear net(4, 2);
  net->to(torch::Device("cuda:2"));  // expect: visible-devices
}

int main(int argc, char**) {
  if (argc > 1) {
    by_the_old_number();
  } else {
    too_late();
  }
}
// arguments: 0 1
