// Set before anything touches CUDA, in several ways; then counted from 0.
#include <torch/torch.h>

#include <cstdlib>
#include <string>

void choose(const std::string& cards) { setenv("CUDA_VISIBLE_DEVICES", cards.c_str(), 1); }

int main() {
  setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 1);
  choose("2,3");
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::nn::Linear net(2, 2);
  net->to(device);
  auto x = torch::rand({2}, torch::Device("cuda:1"));
  auto y = torch::rand({2}, torch::Device("cuda:0"));
}
