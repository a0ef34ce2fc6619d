// All cards are hidden: the program asks, and stays on the host.
#include <torch/torch.h>

#include <cstdlib>

int main(int argc, char**) {
  setenv("CUDA_VISIBLE_DEVICES", "", 1);
  torch::Device device = torch::cuda::is_available() ? torch::Device("cuda:0") : torch::Device("cpu");
  torch::nn::Linear net(2, 2);
  net->to(device);
  auto y = net->forward(torch::rand({2, 2}));
}
