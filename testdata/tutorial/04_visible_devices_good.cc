// Which cards are seen, and in which order, is said before CUDA starts; from then on they are
// numbered anew.
#include <torch/torch.h>

#include <cstdlib>
#include <iostream>

int main() {
  setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 1);
  setenv("CUDA_VISIBLE_DEVICES", "1,0", 1);
  std::cout << torch::cuda::device_count() << '\n';
  torch::nn::Linear net(4, 2);
  net->to(torch::Device("cuda:1"));  // the card with the number 0
  auto y = net(torch::rand({3, 4}, torch::Device("cuda:1")));
  std::cout << y.device() << '\n';
}
