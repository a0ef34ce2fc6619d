// A global's initialiser runs before main.
#include <torch/torch.h>

#include <cstdlib>

const torch::Device kDevice = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;

int main() {
  ::setenv("CUDA_VISIBLE_DEVICES", "2", 1);  // expect: visible-devices
  auto x = torch::rand({2}, kDevice);
}
