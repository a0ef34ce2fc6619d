// Set after something has initialised CUDA, which reads the list once.
#include <torch/torch.h>

#include <cstdlib>

int main() {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  setenv("CUDA_VISIBLE_DEVICES", "1", 1);  // expect: visible-devices
  torch::nn::Linear net(2, 2);
  net->to(device);
}
