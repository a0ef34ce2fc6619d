// A device that the list leaves valid is not recognised as a physical number.
#include <torch/torch.h>

#include <cstdlib>

int main() {
  setenv("CUDA_VISIBLE_DEVICES", "1,0", 1);
  auto x = torch::rand({2}, torch::Device("cuda:1"));  // expect-miss: visible-devices
}
